package dev.gdn.model.tokenizer;

import java.util.Objects;

/**
 * A pair of neighbouring tokens that becomes one token, all three spelt in the byte alphabet. The
 * place of a merge in its list is its rank: the lowest rank that applies comes first.
 */
public record Merge(String left, String right) {
  public Merge {
    Objects.requireNonNull(left, "left");
    Objects.requireNonNull(right, "right");
  }
}
