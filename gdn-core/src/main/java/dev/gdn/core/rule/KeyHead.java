package dev.gdn.core.rule;

import dev.gdn.core.tensor.Rows;
import dev.gdn.core.tensor.TokenTensor;

/** Queries or keys of one head, gathered from a view: {@code [tokens, K]}, normalised or not. */
final class KeyHead {
  private KeyHead() {}

  /** Gathers {@code tokens} tokens from {@code first} on. */
  static void gather(
      boolean normalise, TokenTensor x, int head, int first, int tokens, float[] target) {
    int width = x.width();
    for (int t = 0; t < tokens; t++) {
      int at = x.at(first + t, head);
      float factor =
          normalise ? Rows.inverseNorm(RuleParameters.L2_EPSILON, x.data(), at, width) : 1;
      Rows.scale(factor, x.data(), at, target, t * width, width);
    }
  }
}
