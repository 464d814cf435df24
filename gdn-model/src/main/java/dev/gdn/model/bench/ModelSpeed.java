package dev.gdn.model.bench;

/**
 * How fast a model ran.
 *
 * @param openSeconds to open the checkpoint
 * @param coldPromptSeconds of the first prompt in this process, with pages to load and code to
 *     compile
 * @param prefill tokens of a prompt in a second, after that
 * @param decode tokens generated in a second, after that
 * @param memory at the end
 */
public record ModelSpeed(
    double openSeconds,
    double coldPromptSeconds,
    Statistics prefill,
    Statistics decode,
    MemoryUse memory) {}
