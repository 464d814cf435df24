package dev.gdn.model.layer;

import dev.gdn.model.checkpoint.WeightSource;
import dev.gdn.model.config.NgramConfig;
import dev.gdn.model.error.CheckpointException;
import java.util.Arrays;
import java.util.Optional;

/**
 * Rows of the n-gram tables of a layer. With m the layer's odd multipliers and t_j the token j
 * before, the n-gram's hash is the exclusive or of m_j t_j over j &lt; n; each head takes it modulo
 * the prime that is the size of its table. Immutable.
 */
final class NgramHash {
  // SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
  private static final long GAMMA = 0x9E3779B97F4A7C15L;
  private static final long MIX_1 = 0xBF58476D1CE4E5B9L;
  private static final long MIX_2 = 0x94D049BB133111EBL;

  /** The seeds of layers lie this far apart. */
  private static final long LAYER_STEP = 10007;

  private final int headsPerLength;
  private final int endToken;
  private final long[] multipliers;
  private final int[] sizes;
  private final int[] offsets;

  /**
   * @param layer one of those with n-grams
   * @param vocabulary number of tokens: no product of one with a multiplier overflows
   */
  NgramHash(NgramConfig config, int layer, int vocabulary) {
    this.headsPerLength = config.headsPerLength();
    this.endToken = config.endToken();
    this.sizes = config.tableSizes(layer);
    this.offsets = new int[sizes.length];
    for (int head = 1; head < sizes.length; head++) {
      offsets[head] = offsets[head - 1] + sizes[head - 1];
    }
    this.multipliers = new long[config.longest()];
    long bound = Math.max(1, Long.MAX_VALUE / vocabulary / 2);
    long seed = config.seed() + LAYER_STEP * config.layers().indexOf(layer);
    for (int j = 0; j < multipliers.length; j++) {
      long mixed = mix(seed + GAMMA * (j + 1));
      multipliers[j] = 2 * Long.remainderUnsigned(mixed, bound) + 1;
    }
  }

  /**
   * Compares what a checkpoint stores of this with what its configuration says.
   *
   * @param prefix of the tensors' names, for example {@code layers.1.ple.ple_embedding.}
   * @throws CheckpointException naming the tensor that differs
   */
  void check(WeightSource source, String prefix) {
    check(source, prefix + "layer_multipliers", multipliers);
    check(
        source, prefix + "ngram_heads_vocab_sizes", Arrays.stream(sizes).asLongStream().toArray());
    check(source, prefix + "ngram_heads_offsets", Arrays.stream(offsets).asLongStream().toArray());
  }

  private static void check(WeightSource source, String name, long[] expected) {
    Optional<long[]> stored = source.integers(name);
    if (stored.isPresent() && !Arrays.equals(stored.get(), expected)) {
      long[] found = stored.get();
      throw new CheckpointException(
          source.location(),
          "tensor " + name,
          "expected %s, as the configuration says, found %s"
              .formatted(
                  Arrays.toString(expected),
                  found.length == expected.length
                      ? Arrays.toString(found)
                      : found.length + " numbers"));
    }
  }

  private static long mix(long value) {
    long z = value + GAMMA;
    z = (z ^ (z >>> 30)) * MIX_1;
    z = (z ^ (z >>> 27)) * MIX_2;
    return z ^ (z >>> 31);
  }

  /**
   * The rows of the n-grams that end with a token, of two tokens first.
   *
   * @param token the last one
   * @param past those before, the latest first, as many as the longest n-gram takes; what lies
   *     before an end token counts as end tokens
   * @param rows takes one for each head
   */
  void rows(int token, int[] past, int[] rows) {
    long hash = token * multipliers[0];
    boolean ended = false;
    int head = 0;
    for (int j = 1; j < multipliers.length; j++) {
      ended |= past[j - 1] == endToken;
      hash ^= (ended ? endToken : past[j - 1]) * multipliers[j];
      for (int i = 0; i < headsPerLength; i++, head++) {
        rows[head] = offsets[head] + (int) (hash % sizes[head]);
      }
    }
  }
}
