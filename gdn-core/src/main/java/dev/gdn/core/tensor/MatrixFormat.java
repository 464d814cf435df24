package dev.gdn.core.tensor;

import java.util.Objects;

/**
 * How a matrix is stored.
 *
 * @param type of its elements
 * @param layout of its rows
 */
public record MatrixFormat(DataType type, RowLayout layout) {
  /** Checks that both are there. */
  public MatrixFormat {
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(layout, "layout");
  }
}
