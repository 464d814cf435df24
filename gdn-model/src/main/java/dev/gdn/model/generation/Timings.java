package dev.gdn.model.generation;

import java.time.Duration;

/**
 * How long a generation took; time that a caller spent between tokens is not counted.
 *
 * @param prefill from the beginning to the logits that follow the prompt
 * @param decode from there to the end
 */
public record Timings(Duration prefill, Duration decode) {}
