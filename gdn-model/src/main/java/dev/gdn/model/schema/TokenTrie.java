package dev.gdn.model.schema;

import dev.gdn.model.tokenizer.Tokenizer;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * The tokens of a vocabulary that are part of what a model says, by their bytes: a tree in which
 * tokens that begin alike share nodes, laid out in depth-first order. Immutable.
 */
public final class TokenTrie {
  private final byte[][] tokenBytes; // by id; empty for tokens that are not in the tree
  private final byte[] labels; // the byte of each node
  private final int[] depths; // of each node, 1 for a token's first byte
  private final int[] ends; // the node behind each node's subtree
  private final int[] firstTokens; // where in tokens those begin that end at each node
  private final int[] tokens; // ids, sorted by their bytes
  private final int deepest;

  private TokenTrie(byte[][] tokenBytes, int[] sorted) {
    this.tokenBytes = tokenBytes;
    int most = IntStream.of(sorted).map(id -> tokenBytes[id].length).sum();
    byte[] labels = new byte[most];
    int[] depths = new int[most];
    int[] first = new int[most + 1];
    int nodes = 0;
    byte[] before = {};
    for (int i = 0; i < sorted.length; i++) {
      byte[] bytes = tokenBytes[sorted[i]];
      int common = Arrays.mismatch(before, bytes);
      for (int at = common < 0 ? bytes.length : common; at < bytes.length; at++) {
        labels[nodes] = bytes[at];
        depths[nodes] = at + 1;
        first[nodes++] = i;
      }
      before = bytes;
    }
    first[nodes] = sorted.length;
    this.labels = Arrays.copyOf(labels, nodes);
    this.depths = Arrays.copyOf(depths, nodes);
    firstTokens = Arrays.copyOf(first, nodes + 1);
    tokens = sorted;
    ends = ends(this.depths);
    deepest = IntStream.of(this.depths).max().orElse(0);
  }

  /** The tree of a tokenizer's tokens, without added ones, such as {@code <|im_end|>}. */
  public static TokenTrie of(Tokenizer tokenizer) {
    byte[][] bytes = new byte[tokenizer.vocabularySize()][];
    for (int id = 0; id < bytes.length; id++) {
      bytes[id] = tokenizer.isAdded(id) ? new byte[0] : tokenizer.bytes(id);
    }
    int[] sorted =
        IntStream.range(0, bytes.length)
            .filter(id -> bytes[id].length > 0)
            .boxed()
            .sorted(Comparator.comparing(id -> bytes[id], Arrays::compareUnsigned))
            .mapToInt(Integer::intValue)
            .toArray();
    return new TokenTrie(bytes, sorted);
  }

  private static int[] ends(int[] depths) {
    int[] ends = new int[depths.length];
    int[] open = new int[depths.length + 1]; // the node at each depth that is not ended
    int depth = 0;
    for (int node = 0; node <= depths.length; node++) {
      int to = node < depths.length ? depths[node] : 1;
      while (depth >= to) {
        ends[open[depth--]] = node;
      }
      if (node < depths.length) {
        open[++depth] = node;
      }
    }
    return ends;
  }

  /** Bytes of a token; empty if it is not in the tree. */
  byte[] bytes(int id) {
    return id >= 0 && id < tokenBytes.length ? tokenBytes[id] : new byte[0];
  }

  /** The tokens all of whose bytes can follow a state, as bits by id. */
  long[] allowed(Automaton automaton, Automaton.State from) {
    long[] allowed = new long[(tokenBytes.length + Long.SIZE - 1) / Long.SIZE];
    Automaton.State[] states = new Automaton.State[deepest + 1];
    states[0] = from;
    int node = 0;
    while (node < labels.length) {
      int depth = depths[node];
      Automaton.State state = automaton.step(states[depth - 1], labels[node]);
      if (state == Automaton.DEAD) {
        node = ends[node];
        continue;
      }
      states[depth] = state;
      for (int i = firstTokens[node]; i < firstTokens[node + 1]; i++) {
        allowed[tokens[i] >> 6] |= 1L << tokens[i];
      }
      node++;
    }
    return allowed;
  }
}
