package dev.gdn.model.generation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * How likely the tokens were at one place, as the model gave them: of the softmax of its logits,
 * before bias, penalties, temperature, filters and constraint.
 *
 * @param chosen the token that was taken
 * @param likeliest the likeliest tokens in order; the chosen one may be among them
 */
public record LogProbabilities(TokenLogProbability chosen, List<TokenLogProbability> likeliest) {
  /** Copies the list. */
  public LogProbabilities {
    likeliest = List.copyOf(likeliest);
  }

  /**
   * Computes them; what is no finite number has no probability.
   *
   * @param logits one for each vocabulary entry
   * @param alternatives how many of the likeliest; fewer if there are no more
   */
  public static LogProbabilities of(float[] logits, int chosen, int alternatives) {
    double max = logits[Sampler.argMax(logits)];
    double sum = 0;
    for (float logit : logits) {
      sum += logit < Float.POSITIVE_INFINITY ? Math.exp(logit - max) : 0;
    }
    double norm = max + Math.log(sum);
    int[] top = likeliest(logits, alternatives);
    List<TokenLogProbability> likeliest = new ArrayList<>(top.length);
    for (int id : top) {
      likeliest.add(new TokenLogProbability(id, logits[id] - norm));
    }
    return new LogProbabilities(new TokenLogProbability(chosen, logits[chosen] - norm), likeliest);
  }

  // Insertion into a short sorted list; of equals the smaller id first.
  private static int[] likeliest(float[] logits, int count) {
    int[] top = new int[Math.min(count, logits.length)];
    int size = 0;
    for (int id = 0; id < logits.length; id++) {
      float logit = logits[id];
      boolean finite = Float.isFinite(logit);
      if (!finite || top.length == 0 || size == top.length && logit <= logits[top[size - 1]]) {
        continue;
      }
      int at = size < top.length ? size++ : size - 1;
      while (at > 0 && logits[top[at - 1]] < logit) {
        top[at] = top[at - 1];
        at--;
      }
      top[at] = id;
    }
    return Arrays.copyOf(top, size);
  }
}
