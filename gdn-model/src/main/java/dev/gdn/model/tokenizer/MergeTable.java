package dev.gdn.model.tokenizer;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Which neighbours merge, with what rank and into what. The merges are sorted by left id, then by
 * right id, and found by binary search among those of a left id: no file can make that slow.
 */
final class MergeTable {
  private final int[] starts; // by left id: where its merges begin; one more entry ends the last
  private final int[] rights;
  private final int[] ranks;
  private final int[] results; // by rank

  private MergeTable(int[] starts, int[] rights, int[] ranks, int[] results) {
    this.starts = starts;
    this.rights = rights;
    this.ranks = ranks;
    this.results = results;
  }

  /**
   * @param ids ids by token, from 0 to {@code size - 1}
   * @throws IllegalArgumentException if a merge names or makes a token that {@code ids} lacks, or
   *     is listed twice
   */
  static MergeTable of(List<Merge> merges, Map<String, Integer> ids, int size) {
    int[] results = new int[merges.size()];
    int[] lefts = new int[merges.size()];
    long[] order = new long[merges.size()];
    int[] rightIds = new int[merges.size()];
    for (int rank = 0; rank < results.length; rank++) {
      Merge merge = merges.get(rank);
      lefts[rank] = id(merge.left(), ids, merge, rank);
      rightIds[rank] = id(merge.right(), ids, merge, rank);
      results[rank] = id(merge.left() + merge.right(), ids, merge, rank);
    }
    int[] starts = new int[size + 1];
    for (int left : lefts) {
      starts[left + 1]++;
    }
    for (int left = 0; left < size; left++) {
      starts[left + 1] += starts[left];
    }
    int[] next = starts.clone();
    for (int rank = 0; rank < results.length; rank++) {
      order[next[lefts[rank]]++] = (long) rightIds[rank] << 32 | rank;
    }
    int[] rights = new int[results.length];
    int[] ranks = new int[results.length];
    for (int left = 0; left < size; left++) {
      Arrays.sort(order, starts[left], starts[left + 1]);
      for (int i = starts[left]; i < starts[left + 1]; i++) {
        rights[i] = (int) (order[i] >> 32);
        ranks[i] = (int) order[i];
        if (i > starts[left] && rights[i] == rights[i - 1]) {
          throw problem("listed before, at " + ranks[i - 1], merges.get(ranks[i]), ranks[i]);
        }
      }
    }
    return new MergeTable(starts, rights, ranks, results);
  }

  /** The rank of the merge of two neighbours, or -1 if they do not merge. */
  int rank(int left, int right) {
    int found = Arrays.binarySearch(rights, starts[left], starts[left + 1], right);
    return found < 0 ? -1 : ranks[found];
  }

  /** What the merge of a rank makes. */
  int result(int rank) {
    return results[rank];
  }

  private static int id(String token, Map<String, Integer> ids, Merge merge, int rank) {
    Integer id = ids.get(token);
    if (id == null) {
      throw problem("the vocabulary has no \"" + token + "\"", merge, rank);
    }
    return id;
  }

  private static IllegalArgumentException problem(String problem, Merge merge, int rank) {
    return new IllegalArgumentException(
        "merges[%d]: \"%s\" with \"%s\": %s".formatted(rank, merge.left(), merge.right(), problem));
  }
}
