package dev.gdn.core.rule;

import dev.gdn.core.tensor.TokenTensor;

/**
 * The recurrent form, one token at a time: {@link #load} takes in the query and key of a key head,
 * {@link #apply} then makes the step for each value head that uses it. Holds the scratch of the
 * step; used by one thread at a time. Views are as in {@link dev.gdn.core.kernel.RuleCall}; they
 * are not checked here.
 */
public final class RecurrentForm {
  private final RuleParameters parameters;
  private final int keyWidth;
  private final int valueWidth;
  private final float[] q;
  private final float[] k;
  private final float[] u;
  private int token;

  /** Scratch for heads of these widths. */
  public RecurrentForm(RuleParameters parameters, int keyWidth, int valueWidth) {
    this.parameters = parameters;
    this.keyWidth = keyWidth;
    this.valueWidth = valueWidth;
    q = new float[keyWidth];
    k = new float[keyWidth];
    u = new float[valueWidth];
  }

  /** Whether this scratch serves such a call. */
  public boolean fits(RuleParameters parameters, int keyWidth, int valueWidth) {
    return this.keyWidth == keyWidth
        && this.valueWidth == valueWidth
        && this.parameters.equals(parameters);
  }

  /**
   * Takes in a key head.
   *
   * @param q {@code [·, H, K]}
   * @param k {@code [·, H, K]}
   */
  public void load(TokenTensor q, TokenTensor k, int keyHead, int token) {
    this.token = token;
    KeyHead.gather(parameters.normalise(), q, keyHead, token, 1, this.q);
    KeyHead.gather(parameters.normalise(), k, keyHead, token, 1, this.k);
  }

  /**
   * Makes the loaded token's step for one value head.
   *
   * @param v {@code [·, HV, V]}
   * @param g {@code [·, 1, HV]}
   * @param beta {@code [·, 1, HV]}
   * @param state of this value head, {@code [K, V]} from {@code stateAt} on, updated
   * @param o {@code [·, HV, V]}
   */
  public void apply(
      TokenTensor v,
      TokenTensor g,
      TokenTensor beta,
      int valueHead,
      float[] state,
      int stateAt,
      TokenTensor o) {
    RecurrentStep.step(
        parameters.scale(),
        q,
        k,
        v.data(),
        v.at(token, valueHead),
        g.data()[g.at(token) + valueHead],
        beta.data()[beta.at(token) + valueHead],
        state,
        stateAt,
        o.data(),
        o.at(token, valueHead),
        u,
        keyWidth,
        valueWidth);
  }
}
