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
  private final float[] keyDecays;
  private final float[] valueDecays;
  private final float[] beta;
  private final float[] u;
  private final float[] unwanted;
  private int token;

  /** Scratch for heads of these widths. */
  public RecurrentForm(RuleParameters parameters, int keyWidth, int valueWidth) {
    this.parameters = parameters;
    this.keyWidth = keyWidth;
    this.valueWidth = valueWidth;
    q = new float[keyWidth];
    k = new float[keyWidth];
    keyDecays = new float[keyWidth];
    valueDecays = new float[valueWidth];
    beta = new float[valueWidth];
    u = new float[valueWidth];
    unwanted = new float[valueWidth];
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
   * @param gates {@link Gates#complete}
   * @param state of this value head, {@code [K, V]} from {@code stateAt} on, updated
   * @param o {@code [·, HV, V]}; null if only the state is wanted
   */
  public void apply(
      TokenTensor v, Gates gates, int valueHead, float[] state, int stateAt, TokenTensor o) {
    float shared = gates.g().data()[gates.g().at(token) + valueHead];
    for (int i = 0; i < keyWidth; i++) {
      keyDecays[i] = (float) Math.exp(shared + channel(gates.gk(), valueHead, i));
    }
    for (int j = 0; j < valueWidth; j++) {
      valueDecays[j] = (float) Math.exp(channel(gates.gv(), valueHead, j));
    }
    gates.gatherBeta(token, valueHead, v.heads(), beta, 0, valueWidth);
    RecurrentStep.step(
        parameters.scale(),
        parameters.update(),
        q,
        k,
        v.data(),
        v.at(token, valueHead),
        keyDecays,
        gates.gv() == null ? null : valueDecays,
        beta,
        state,
        stateAt,
        o == null ? unwanted : o.data(),
        o == null ? 0 : o.at(token, valueHead),
        u,
        keyWidth,
        valueWidth);
  }

  private double channel(TokenTensor gate, int head, int channel) {
    return gate == null ? 0 : gate.data()[gate.at(token, head) + channel];
  }
}
