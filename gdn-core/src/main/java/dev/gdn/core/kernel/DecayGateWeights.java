package dev.gdn.core.kernel;

/**
 * The parameters of the decay gate, one of each for a value head. Safe to share: the arrays are not
 * to be changed.
 *
 * @param rate −exp(A_log): negative
 * @param bias dt_bias
 */
public record DecayGateWeights(float[] rate, float[] bias) {
  /**
   * @throws IllegalArgumentException if the lengths differ
   */
  public DecayGateWeights {
    if (rate.length != bias.length) {
      throw new IllegalArgumentException(
          "decay gate: %d rates but %d biases".formatted(rate.length, bias.length));
    }
  }

  /** From the checkpoint's A_log. */
  public static DecayGateWeights fromLog(float[] aLog, float[] bias) {
    float[] rate = new float[aLog.length];
    for (int h = 0; h < rate.length; h++) {
      rate[h] = (float) -Math.exp(aLog[h]);
    }
    return new DecayGateWeights(rate, bias);
  }
}
