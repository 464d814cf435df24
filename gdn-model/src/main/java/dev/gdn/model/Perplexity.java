package dev.gdn.model;

import dev.gdn.model.error.NonFiniteLogitsException;
import dev.gdn.model.observer.ForwardObserver;
import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * How well a model predicts a text. Each token but a window's first is scored by the natural
 * logarithm of the probability that the model gave it.
 *
 * @param meanNegativeLogLikelihood mean of −ln p over the scored tokens
 * @param tokens tokens that were scored
 */
public record Perplexity(double meanNegativeLogLikelihood, int tokens) {
  /** e to the mean negative log-likelihood. */
  public double value() {
    return Math.exp(meanNegativeLogLikelihood);
  }

  /** Told how far a measurement is. */
  @FunctionalInterface
  public interface Progress {
    /** So many tokens of so many are done. */
    void done(int tokens, int total);
  }

  /**
   * Scores a text in windows of the model's context, each from an empty state.
   *
   * @param ids at least two tokens
   * @throws IllegalArgumentException if there are fewer, one is outside the vocabulary, or the
   *     context holds fewer than two
   * @throws NonFiniteLogitsException if no logit after one of them is a finite number
   * @throws java.util.concurrent.CancellationException if the thread is interrupted
   */
  public static Perplexity measure(LanguageModel model, int[] ids, Progress progress) {
    if (ids.length < 2) {
      throw new IllegalArgumentException(
          "text: expected at least two tokens to score, found " + ids.length);
    }
    if (model.context() < 2) {
      throw new IllegalArgumentException(
          "context: expected at least two tokens to score a text, found " + model.context());
    }
    Session session = model.newSession();
    double sum = 0;
    int scored = 0;
    for (int from = 0; ids.length - from >= 2; from += model.context()) {
      int[] window = Arrays.copyOfRange(ids, from, Math.min(ids.length, from + model.context()));
      int before = from;
      Scores scores = new Scores(window, done -> progress.done(before + done, ids.length));
      session.clear();
      session.prefill(window, scores);
      sum += scores.sum;
      scored += window.length - 1;
    }
    return new Perplexity(sum / scored, scored);
  }

  /** −ln softmax(logits)[id]. */
  private static double negativeLogLikelihood(float[] logits, int offset, int count, int id) {
    double max = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < count; i++) {
      if (Float.isFinite(logits[offset + i])) {
        max = Math.max(max, logits[offset + i]);
      }
    }
    if (max == Double.NEGATIVE_INFINITY) {
      throw new NonFiniteLogitsException(count);
    }
    double sum = 0;
    for (int i = 0; i < count; i++) {
      sum += Math.exp(logits[offset + i] - max);
    }
    return Math.log(sum) + max - logits[offset + id];
  }

  private static final class Scores implements ForwardObserver {
    private final int[] ids;
    private final IntConsumer progress;
    private double sum;

    Scores(int[] ids, IntConsumer progress) {
      this.ids = ids;
      this.progress = progress;
    }

    @Override
    public boolean wantsLogits() {
      return true;
    }

    @Override
    public void logits(int position, float[] values, int offset, int count) {
      if (position + 1 < ids.length) {
        sum += negativeLogLikelihood(values, offset, count, ids[position + 1]);
      }
    }

    @Override
    public void progress(int done, int total) {
      progress.accept(done);
    }
  }
}
