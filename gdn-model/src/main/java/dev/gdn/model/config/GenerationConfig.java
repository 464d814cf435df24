package dev.gdn.model.config;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * What a checkpoint recommends for generation. Immutable.
 *
 * @param endTokens ids that end a text; may be empty
 * @param sampled whether to sample ({@code do_sample}) rather than take the likeliest token
 * @param temperature at least 0
 * @param topK at least 0, where 0 means no limit
 * @param topP over 0 and at most 1
 * @param minP from 0 to 1
 * @param repetitionPenalty from 0.01 to 100, where 1 means none
 */
public record GenerationConfig(
    List<Integer> endTokens,
    Optional<Boolean> sampled,
    OptionalDouble temperature,
    OptionalInt topK,
    OptionalDouble topP,
    OptionalDouble minP,
    OptionalDouble repetitionPenalty) {
  /** Nothing but the ids that end a text. */
  public static GenerationConfig of(List<Integer> endTokens) {
    return new GenerationConfig(
        endTokens,
        Optional.empty(),
        OptionalDouble.empty(),
        OptionalInt.empty(),
        OptionalDouble.empty(),
        OptionalDouble.empty(),
        OptionalDouble.empty());
  }

  /** Copies the list. */
  public GenerationConfig {
    endTokens = List.copyOf(endTokens);
  }
}
