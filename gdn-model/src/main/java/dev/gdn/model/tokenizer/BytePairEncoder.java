package dev.gdn.model.tokenizer;

/**
 * Merges the bytes of pieces into tokens: of all neighbours that merge, those of the lowest rank,
 * the leftmost first, until none are left. A linked list of tokens and a heap of candidates make
 * that O(n log n) for a piece of n bytes, without recursion. Not thread-safe: it keeps its working
 * space from piece to piece.
 */
final class BytePairEncoder {
  private final int[] byteIds; // by byte
  private final MergeTable merges;
  private final CandidateHeap candidates = new CandidateHeap();
  // A token begins at the place of its first byte; the places of its other bytes are free.
  private int[] tokens = new int[0];
  private int[] previous = new int[0];
  private int[] next = new int[0];

  BytePairEncoder(int[] byteIds, MergeTable merges) {
    this.byteIds = byteIds;
    this.merges = merges;
  }

  /** Appends the ids of a piece. */
  void encode(byte[] piece, Ids ids) {
    int length = piece.length;
    if (tokens.length < length) {
      tokens = new int[length];
      previous = new int[length];
      next = new int[length];
    }
    for (int i = 0; i < length; i++) {
      tokens[i] = byteIds[piece[i] & 0xff];
      previous[i] = i - 1;
      next[i] = i + 1;
    }
    for (int i = 0; i + 1 < length; i++) {
      offer(i, i + 1);
    }
    while (!candidates.isEmpty()) {
      long candidate = candidates.remove();
      mergeAt((int) candidate, (int) (candidate >> 32), length);
    }
    for (int i = 0; i < length; i = next[i]) {
      ids.add(tokens[i]);
    }
  }

  private void mergeAt(int left, int rank, int length) {
    // The token that began here, or its neighbour, may have been merged since it was offered.
    int right = next[left];
    if (tokens[left] < 0 || right >= length || merges.rank(tokens[left], tokens[right]) != rank) {
      return;
    }
    tokens[left] = merges.result(rank);
    tokens[right] = -1;
    int after = next[right];
    next[left] = after;
    if (after < length) {
      previous[after] = left;
      offer(left, after);
    }
    if (previous[left] >= 0) {
      offer(previous[left], left);
    }
  }

  private void offer(int left, int right) {
    int rank = merges.rank(tokens[left], tokens[right]);
    if (rank >= 0) {
      candidates.add(rank, left);
    }
  }
}
