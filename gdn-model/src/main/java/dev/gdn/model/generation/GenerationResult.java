package dev.gdn.model.generation;

import java.util.List;
import java.util.Optional;

/**
 * What came of a generation.
 *
 * @param text the generated text, without the stop token's or the stop string
 * @param tokens the generated ids, without the stop token
 * @param finishReason why it ended
 * @param stopString the stop string that ended it, if one did
 * @param counts how many tokens
 * @param timings how long it took
 * @param logProbabilities of each of the tokens, if asked for; else empty
 */
public record GenerationResult(
    String text,
    List<Integer> tokens,
    FinishReason finishReason,
    Optional<String> stopString,
    TokenCounts counts,
    Timings timings,
    List<LogProbabilities> logProbabilities) {
  /** Copies the lists. */
  public GenerationResult {
    tokens = List.copyOf(tokens);
    logProbabilities = List.copyOf(logProbabilities);
  }
}
