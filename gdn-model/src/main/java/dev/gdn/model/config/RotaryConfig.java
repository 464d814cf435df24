package dev.gdn.model.config;

import dev.gdn.core.kernel.RotaryEmbedding;
import java.util.List;

/**
 * The partial rotary embedding of the attention layers.
 *
 * @param width rotated elements of a head, even, at least 2; the elements after them are left alone
 * @param theta base of the frequencies, over 0
 * @param sections lengths of the temporal, height and width sections, together {@code width / 2},
 *     interleaved; empty if a token has one position
 */
public record RotaryConfig(int width, double theta, List<Integer> sections) {
  /**
   * @throws IllegalArgumentException if a number is out of range
   */
  public RotaryConfig {
    sections = List.copyOf(sections);
    embedding(width, theta, sections);
  }

  /** The embedding's frequencies. */
  public RotaryEmbedding embedding() {
    return embedding(width, theta, sections);
  }

  private static RotaryEmbedding embedding(int width, double theta, List<Integer> sections) {
    int[] lengths =
        sections.isEmpty() ? null : sections.stream().mapToInt(Integer::intValue).toArray();
    return RotaryEmbedding.of(width, theta, lengths);
  }
}
