package dev.gdn.kernels.vector;

import dev.gdn.core.tensor.DataType;

/** Quantised tokens with what groups of rows need of them. */
final class GroupTokens {
  private final QuantizedTokens quantized;
  private final FoldedTokens folded = new FoldedTokens();
  private final BlockSums sums = new BlockSums();
  private boolean fold;
  private boolean sum;

  GroupTokens(QuantizedTokens quantized) {
    this.quantized = quantized;
  }

  /** Forgets which types there are. */
  void clear() {
    fold = false;
    sum = false;
  }

  /** Says that weights of a type are going to meet the tokens. */
  void expect(DataType type) {
    fold |= type == DataType.Q4_0;
    sum |= type != DataType.Q4_0;
  }

  /** Makes room for so many tokens. */
  void reserve(int tokens, int columns) {
    if (fold) {
      folded.reserve(tokens, columns);
    }
    if (sum) {
      sums.reserve(tokens, columns);
    }
  }

  /** Prepares some tokens that were quantised. */
  void prepare(int first, int tokens) {
    if (fold) {
      folded.fold(quantized, first, tokens);
    }
    if (sum) {
      sums.add(quantized, first, tokens);
    }
  }

  QuantizedTokens quantized() {
    return quantized;
  }

  FoldedTokens folded() {
    return folded;
  }

  BlockSums sums() {
    return sums;
  }
}
