package dev.gdn.model.generation;

import dev.gdn.model.error.NoTokenLeftException;
import dev.gdn.model.error.NonFiniteLogitsException;
import java.util.Arrays;
import java.util.Map;

/**
 * The steps before the temperature: bias, repetition penalty, presence and frequency penalty, and
 * the mask of a constraint. Memory is allocated once.
 */
final class LogitAdjustment {
  private final SamplingOptions options;
  private final int[] biasIds;
  private final float[] biases;
  private float[] adjusted = new float[0];
  private int[] counts = new int[0]; // by id: how often generated, plus one if it was seen at all
  private int[] seen = new int[64];
  private int seenCount;

  LogitAdjustment(SamplingOptions options) {
    this.options = options;
    biasIds = options.logitBias().keySet().stream().mapToInt(Integer::intValue).sorted().toArray();
    biases = new float[biasIds.length];
    for (int i = 0; i < biases.length; i++) {
      Map<Integer, Float> bias = options.logitBias();
      biases[i] = bias.get(biasIds[i]);
    }
  }

  /** Takes a token of the prompt. */
  void see(int id) {
    if (options.penalizes() && count(id) == 0) {
      counts[id] = 1;
      if (seenCount == seen.length) {
        seen = Arrays.copyOf(seen, 2 * seenCount);
      }
      seen[seenCount++] = id;
    }
  }

  /** Takes a generated token. */
  void accept(int id) {
    if (options.penalizes()) {
      see(id);
      counts[id]++;
    }
  }

  private int count(int id) {
    if (id >= counts.length) {
      counts = Arrays.copyOf(counts, Math.max(id + 1, 2 * counts.length));
    }
    return counts[id];
  }

  /**
   * The logits to sample from.
   *
   * @param allowed bits of the ids that may be chosen; null for all
   * @param alsoAllowed further ids that may be chosen
   */
  float[] apply(float[] logits, long[] allowed, int[] alsoAllowed) {
    if (allowed == null && !options.adjustsLogits()) {
      return logits;
    }
    if (adjusted.length != logits.length) {
      adjusted = new float[logits.length];
    }
    if (allowed == null) {
      System.arraycopy(logits, 0, adjusted, 0, logits.length);
    } else {
      mask(logits, allowed, alsoAllowed);
    }
    for (int i = 0; i < biasIds.length; i++) {
      adjusted[biasIds[i]] += biases[i];
    }
    penalize();
    return adjusted;
  }

  /**
   * Why {@link #apply} with these arguments leaves no finite logit: for the model's own, or for
   * what was asked for.
   */
  RuntimeException problem(float[] logits, long[] allowed, int[] alsoAllowed) {
    int open = logits.length;
    if (allowed != null) {
      float[] zeros = new float[logits.length];
      mask(zeros, allowed, alsoAllowed);
      open = 0;
      for (float value : adjusted) {
        open += value == 0 ? 1 : 0;
      }
      if (open == 0) {
        return new NoTokenLeftException("the constraint allows none of " + logits.length);
      }
      mask(logits, allowed, alsoAllowed);
    }
    boolean finite = Sampler.likeliest(allowed == null ? logits : adjusted) >= 0;
    return finite
        ? new NoTokenLeftException(
            "the logit bias bans all %d that there are%s"
                .formatted(open, allowed == null ? "" : " by the constraint"))
        : new NonFiniteLogitsException(open);
  }

  private void mask(float[] logits, long[] allowed, int[] alsoAllowed) {
    int covered = Math.min(logits.length, allowed.length * Long.SIZE);
    for (int id = 0; id < covered; id++) {
      boolean open = (allowed[id >> 6] >>> id & 1) != 0;
      adjusted[id] = open ? logits[id] : Float.NEGATIVE_INFINITY;
    }
    Arrays.fill(adjusted, covered, logits.length, Float.NEGATIVE_INFINITY);
    for (int id : alsoAllowed) {
      if (id < logits.length) {
        adjusted[id] = logits[id];
      }
    }
  }

  private void penalize() {
    float repetition = options.repetitionPenalty();
    for (int i = 0; i < seenCount; i++) {
      int id = seen[i];
      float logit = adjusted[id];
      logit = logit < 0 ? logit * repetition : logit / repetition;
      int generated = counts[id] - 1;
      if (generated > 0) {
        logit -= options.presencePenalty() + generated * options.frequencyPenalty();
      }
      adjusted[id] = logit;
    }
  }
}
