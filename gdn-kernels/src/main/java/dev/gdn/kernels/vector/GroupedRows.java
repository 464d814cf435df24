package dev.gdn.kernels.vector;

import dev.gdn.core.tensor.DataType;

/**
 * Groups of rows of one stored type, as products in float32 meet them. Holds scratch memory: one
 * for each worker.
 */
sealed interface GroupedRows permits ByteGroups, PackedGroups {
  /**
   * The dot products of the rows of a group with some tokens.
   *
   * @param from where the group starts
   * @param x tokens, each {@code columns} long, {@code stride} from one to the next
   * @param y takes {@code [tokens, ROWS]} from 0 on
   */
  void multiply(
      byte[] data, int from, int columns, float[] x, int xAt, int stride, int tokens, float[] y);

  /**
   * Decodes some columns of a group.
   *
   * @param from where the group starts
   * @param columns of the group
   * @param column the first
   * @param count how many, a whole number of the type's blocks
   * @param panels takes {@code [ROWS / WIDTH, count, WIDTH]} from {@code to} on
   */
  void decode(byte[] data, int from, int columns, int column, int count, float[] panels, int to);

  /** Whether there is such a class for a type: products in float32 have groups of it. */
  static boolean covers(DataType type) {
    return switch (type) {
      case Q8_0, Q4_K, Q5_K, Q6_K -> true;
      default -> false;
    };
  }

  /** For one worker. */
  static GroupedRows of(DataType type) {
    return switch (type) {
      case Q8_0 -> new ByteGroups();
      case Q4_K -> new PackedGroups(type, 32, new Q4KGroups());
      case Q5_K -> new PackedGroups(type, 32, new Q5KGroups());
      case Q6_K -> new PackedGroups(type, 16, new Q6KGroups());
      default -> throw new IllegalArgumentException("no groups of rows of " + type);
    };
  }
}
