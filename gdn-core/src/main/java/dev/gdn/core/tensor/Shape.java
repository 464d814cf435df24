package dev.gdn.core.tensor;

import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * The dimensions of a tensor, outermost first. Immutable; safe to share.
 *
 * @param dimensions each at least 0; their product fits a {@code long}
 */
public record Shape(long... dimensions) {
  /**
   * @throws IllegalArgumentException if a dimension is negative or the product overflows
   */
  public Shape {
    dimensions = dimensions.clone();
    count(dimensions);
  }

  @Override
  public long[] dimensions() {
    return dimensions.clone();
  }

  /** Number of dimensions; 0 for a scalar. */
  public int rank() {
    return dimensions.length;
  }

  /** Length of dimension {@code i}. */
  public long dimension(int i) {
    return dimensions[i];
  }

  /** Number of elements. */
  public long elements() {
    return count(dimensions);
  }

  private static long count(long[] dimensions) {
    long product = 1;
    for (long dimension : dimensions) {
      if (dimension < 0) {
        throw new IllegalArgumentException("negative dimension in " + Arrays.toString(dimensions));
      }
      long high = Math.multiplyHigh(product, dimension);
      product *= dimension;
      if (high != 0 || product < 0) {
        throw new IllegalArgumentException("too many elements in " + Arrays.toString(dimensions));
      }
    }
    return product;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Shape(long[] theirs) && Arrays.equals(dimensions, theirs);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(dimensions);
  }

  /** For example {@code [4, 64]}. */
  @Override
  public String toString() {
    return Arrays.stream(dimensions)
        .mapToObj(Long::toString)
        .collect(Collectors.joining(", ", "[", "]"));
  }
}
