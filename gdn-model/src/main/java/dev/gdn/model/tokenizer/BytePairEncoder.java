package dev.gdn.model.tokenizer;

/**
 * Merges the bytes of pieces into tokens: of all neighbours that merge, those of the lowest rank,
 * the leftmost first, until none are left. A linked list of tokens and a heap of candidates make
 * that O(n log n) for a piece of n bytes, without recursion. Not thread-safe: it keeps its working
 * space from piece to piece.
 */
final class BytePairEncoder {
  private static final int NONE = -1;

  private final int[] byteIds; // by byte
  private final MergeTable merges;
  private final CandidateHeap candidates = new CandidateHeap();
  // A token stands at the place of its first byte; the places of its other bytes are passed over.
  private int[] tokens = new int[0];
  private int[] ranks = new int[0]; // of the merge with the next token, NONE if they do not merge
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
      ranks = new int[length];
      previous = new int[length];
      next = new int[length];
    }
    for (int i = 0; i < length; i++) {
      tokens[i] = byteIds[piece[i] & 0xff];
      previous[i] = i - 1;
      next[i] = i + 1;
    }
    for (int i = 0; i < length; i++) {
      offer(i, length);
    }
    while (!candidates.isEmpty()) {
      long candidate = candidates.remove();
      int place = (int) candidate;
      int rank = (int) (candidate >> 32);
      // Either token may have become another since the merge was offered; then it is void.
      if (ranks[place] == rank) {
        merge(place, length);
      }
    }
    for (int i = 0; i < length; i = next[i]) {
      ids.add(tokens[i]);
    }
  }

  private void merge(int place, int length) {
    int swallowed = next[place];
    tokens[place] = merges.result(ranks[place]);
    ranks[swallowed] = NONE;
    next[place] = next[swallowed];
    if (next[place] < length) {
      previous[next[place]] = place;
    }
    offer(place, length);
    if (previous[place] >= 0) {
      offer(previous[place], length);
    }
  }

  private void offer(int place, int length) {
    int rank = next[place] < length ? merges.rank(tokens[place], tokens[next[place]]) : NONE;
    ranks[place] = rank;
    if (rank != NONE) {
      candidates.add(rank, place);
    }
  }
}
