package dev.gdn.model.generation;

import java.time.Duration;
import java.util.List;

/**
 * What came of a generation.
 *
 * @param text the generated text, without the stop token's
 * @param tokens the generated ids, without the stop token
 * @param finishReason why it ended
 * @param promptTokens tokens of the prompt
 * @param prefillTime from the call to the first logits
 * @param decodeTime from the first logits to the end
 */
public record GenerationResult(
    String text,
    List<Integer> tokens,
    FinishReason finishReason,
    int promptTokens,
    Duration prefillTime,
    Duration decodeTime) {
  /** Copies the list. */
  public GenerationResult {
    tokens = List.copyOf(tokens);
  }
}
