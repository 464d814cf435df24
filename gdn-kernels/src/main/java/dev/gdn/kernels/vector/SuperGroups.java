package dev.gdn.kernels.vector;

/**
 * The arithmetic of groups of rows of GGUF blocks of 256, with the scratch of one worker. With few
 * tokens it is exact in 16 bits within a part of a block; with many they are multiplied in float32,
 * rounded as the few are.
 */
sealed interface SuperGroups permits Q4KGroups, Q5KGroups, Q6KGroups {
  /** Elements of a block. */
  int ELEMENTS = 256;

  /**
   * The dot products of the rows of a group with some tokens.
   *
   * @param head where the group's heads start
   * @param quanta where its quanta start
   * @param y takes {@code [tokens, ROWS]} from 0 on
   */
  void multiply(
      byte[] data,
      int head,
      int quanta,
      int columns,
      GroupTokens x,
      int first,
      int tokens,
      float[] y);

  /**
   * Decodes some columns of a group.
   *
   * @param depth columns, whole blocks
   * @param panels takes {@code [ROWS / WIDTH, depth, WIDTH]} from {@code to} on
   */
  void decode(byte[] data, int head, int quanta, int column, int depth, float[] panels, int to);
}
