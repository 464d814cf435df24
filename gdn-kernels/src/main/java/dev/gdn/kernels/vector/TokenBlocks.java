package dev.gdn.kernels.vector;

/** How tokens are cut into parts for the workers: by the size of a token alone. */
final class TokenBlocks {
  // Elements that are worth a worker's turn.
  private static final int ELEMENTS = 1 << 14;

  private TokenBlocks() {}

  /** Tokens of a part, when a token has that many elements. */
  static int size(int elements) {
    return Math.max(1, ELEMENTS / elements);
  }

  /** Parts of so many tokens. */
  static int count(int tokens, int size) {
    return (tokens + size - 1) / size;
  }
}
