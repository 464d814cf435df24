package dev.gdn.model.generation;

import dev.gdn.model.error.NoTokenLeftException;
import dev.gdn.model.error.NonFiniteLogitsException;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/**
 * Chooses the next token from logits, in the steps that {@link SamplingOptions} lists. The same
 * seed and logits give the same tokens. Used by one thread at a time.
 */
public final class Sampler {
  private static final int[] NONE = {};

  private final SamplingOptions options;
  private final RandomGenerator random;
  private final LogitAdjustment adjustment;
  private long[] candidates = new long[0];
  private double[] weights = new double[0];

  /** A sampler with these options. */
  public Sampler(SamplingOptions options) {
    this.options = options;
    this.adjustment = new LogitAdjustment(options);
    RandomGeneratorFactory<RandomGenerator> factory = RandomGeneratorFactory.of("L64X128MixRandom");
    this.random =
        options.seed().isPresent() ? factory.create(options.seed().getAsLong()) : factory.create();
  }

  /** Takes tokens that came before the first generated one, for the repetition penalty. */
  public void see(int... prompt) {
    for (int id : prompt) {
      adjustment.see(id);
    }
  }

  /** Takes a generated token, for the penalties. */
  public void accept(int id) {
    adjustment.accept(id);
  }

  /**
   * The next token.
   *
   * @param logits one for each vocabulary entry, the ids of the logit bias among them; not changed
   * @throws NonFiniteLogitsException if no logit is a finite number
   * @throws NoTokenLeftException if the logit bias bans all ids
   */
  public int sample(float[] logits) {
    return draw(logits, null, NONE);
  }

  /**
   * The next token of those that are allowed.
   *
   * @param logits one for each vocabulary entry, the ids of the logit bias among them; not changed
   * @param allowed bits of the ids that may be chosen, see {@link Constraint.Matcher#allowed()}
   * @param alsoAllowed further ids that may be chosen
   * @throws NonFiniteLogitsException if no allowed token's logit is a finite number
   * @throws NoTokenLeftException if no id is allowed, or the logit bias bans those that are
   */
  public int sample(float[] logits, long[] allowed, int... alsoAllowed) {
    return draw(logits, allowed, alsoAllowed);
  }

  private int draw(float[] modelLogits, long[] allowed, int[] alsoAllowed) {
    float[] logits = adjustment.apply(modelLogits, allowed, alsoAllowed);
    int best = likeliest(logits);
    if (best < 0) {
      throw adjustment.problem(modelLogits, allowed, alsoAllowed);
    }
    if (options.temperature() == 0 || options.topK() == 1) {
      return best;
    }
    double scale = 1.0 / options.temperature();
    double max = logits[best];
    double total = 0;
    for (float logit : logits) {
      total += weight(logit, max, scale);
    }
    int count = candidates(logits, max, scale, total);
    // The likeliest tokens until top-p of the whole, or of what top-k leaves, is reached. Weights
    // are relative to the likeliest, whose own is 1, as min-p is.
    double whole = options.topK() > 0 ? sum(count) : total;
    double nucleus = 0;
    int kept = 0;
    while (kept < count
        && (kept == 0 || nucleus < options.topP() * whole && weights[kept] >= options.minP())) {
      nucleus += weights[kept++];
    }
    double draw = random.nextDouble() * nucleus;
    for (int i = 0; i < kept; i++) {
      draw -= weights[i];
      if (draw < 0) {
        return token(candidates[i]);
      }
    }
    return token(candidates[0]);
  }

  /**
   * The likeliest token; of several the first.
   *
   * @throws NonFiniteLogitsException if no logit is a finite number
   */
  static int argMax(float[] logits) {
    int best = likeliest(logits);
    if (best < 0) {
      throw new NonFiniteLogitsException(logits.length);
    }
    return best;
  }

  /** As above, or -1 if no logit is a finite number. */
  static int likeliest(float[] logits) {
    int best = -1;
    for (int i = 0; i < logits.length; i++) {
      if (logits[i] < Float.POSITIVE_INFINITY && (best < 0 || logits[i] > logits[best])) {
        best = i;
      }
    }
    return best < 0 || logits[best] == Float.NEGATIVE_INFINITY ? -1 : best;
  }

  // Sorts the tokens that can be chosen, likeliest first, into candidates and weights. Without
  // top-k, tokens below (1 - p) / n of the whole cannot be in the nucleus: together they are less
  // than what it leaves out; nor are those below min-p. That saves sorting a whole vocabulary.
  private int candidates(float[] logits, double max, double scale, double total) {
    if (candidates.length < logits.length) {
      candidates = new long[logits.length];
      weights = new double[logits.length];
    }
    double least =
        options.topK() > 0
            ? 0
            : Math.max(options.minP(), (1 - options.topP()) / logits.length * total);
    int count = 0;
    for (int i = 0; i < logits.length; i++) {
      double weight = weight(logits[i], max, scale);
      if (weight > 0 && weight >= least) {
        candidates[count++] = pack(logits[i], i);
      }
    }
    if (options.topK() > 0 && options.topK() < count) {
      count = keepLargest(count, options.topK());
    }
    Arrays.sort(candidates, 0, count);
    for (int i = 0, j = count - 1; i < j; i++, j--) {
      long swapped = candidates[i];
      candidates[i] = candidates[j];
      candidates[j] = swapped;
    }
    for (int i = 0; i < count; i++) {
      weights[i] = weight(logits[token(candidates[i])], max, scale);
    }
    return count;
  }

  private double sum(int count) {
    double sum = 0;
    for (int i = 0; i < count; i++) {
      sum += weights[i];
    }
    return sum;
  }

  // Moves the k largest to the front with a heap whose root is the smallest of them.
  private int keepLargest(int count, int k) {
    for (int i = k / 2 - 1; i >= 0; i--) {
      siftDown(i, k);
    }
    for (int i = k; i < count; i++) {
      if (candidates[i] > candidates[0]) {
        candidates[0] = candidates[i];
        siftDown(0, k);
      }
    }
    return k;
  }

  private void siftDown(int root, int size) {
    long value = candidates[root];
    int hole = root;
    for (int child; (child = 2 * hole + 1) < size; hole = child) {
      if (child + 1 < size && candidates[child + 1] < candidates[child]) {
        child++;
      }
      if (candidates[child] >= value) {
        break;
      }
      candidates[hole] = candidates[child];
    }
    candidates[hole] = value;
  }

  private static double weight(float logit, double max, double scale) {
    return logit < Float.POSITIVE_INFINITY ? Math.exp((logit - max) * scale) : 0;
  }

  // Order of the longs: by logit, then the smaller id first among equals.
  private static long pack(float logit, int token) {
    int bits = Float.floatToIntBits(logit + 0.0f);
    int ordered = bits ^ (bits >> 31 & Integer.MAX_VALUE);
    return (long) ordered << 32 | (~token & 0xFFFF_FFFFL);
  }

  private static int token(long candidate) {
    return ~(int) candidate;
  }
}
