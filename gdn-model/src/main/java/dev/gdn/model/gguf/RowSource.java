package dev.gdn.model.gguf;

import dev.gdn.core.tensor.UnencodableException;

/** Where the numbers of a tensor come from that is encoded while it is written. */
@FunctionalInterface
public interface RowSource {
  /**
   * Fills one row. Called once for each row, by several threads for different rows.
   *
   * @param row from 0 to the product of all dimensions but the innermost - 1
   * @param target as long as the innermost dimension
   */
  void fill(long row, float[] target);

  /** What to throw for an element of a row that the type it is to be stored as does not take. */
  default RuntimeException refusal(long row, UnencodableException problem) {
    return new IllegalArgumentException("row %d, %s".formatted(row, problem.getMessage()), problem);
  }
}
