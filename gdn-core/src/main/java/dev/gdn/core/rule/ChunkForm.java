package dev.gdn.core.rule;

import dev.gdn.core.tensor.TokenTensor;

/**
 * The chunk form, one chunk at a time: {@link #load} takes in the queries and keys of a key head,
 * {@link #apply} then runs the steps for each value head that uses it. Holds the scratch of the
 * steps; used by one thread at a time. Views are as in {@link dev.gdn.core.kernel.RuleCall}; they
 * are not checked here.
 */
public final class ChunkForm {
  private final RuleParameters parameters;
  private final int keyWidth;
  private final int valueWidth;

  // Of the loaded key head: [C, K], [C, K], [C, C], [C, C].
  private final float[] q;
  private final float[] k;
  private final float[] keyKey;
  private final float[] queryKey;
  private int first;
  private int tokens;

  // Of one value head: [C], [C], [C], then [C, C] up to the inverse, [C, K], [C, V].
  private final double[] sums;
  private final float[] entryDecays;
  private final float[] beta;
  private final float[] decays;
  private final float[] a;
  private final float[] t;
  private final float[] solving;
  private final float[] w;
  private final float[] v;
  private final float[] u;

  /** Scratch for heads of these widths. */
  public ChunkForm(RuleParameters parameters, int keyWidth, int valueWidth) {
    this.parameters = parameters;
    this.keyWidth = keyWidth;
    this.valueWidth = valueWidth;
    int chunk = parameters.chunk();
    q = new float[chunk * keyWidth];
    k = new float[chunk * keyWidth];
    keyKey = new float[chunk * chunk];
    queryKey = new float[chunk * chunk];
    sums = new double[chunk];
    entryDecays = new float[chunk];
    beta = new float[chunk];
    decays = new float[chunk * chunk];
    a = new float[chunk * chunk];
    t = new float[chunk * chunk];
    solving = new float[TriangularSolve.scratch(chunk)];
    w = new float[chunk * keyWidth];
    v = new float[chunk * valueWidth];
    u = new float[chunk * valueWidth];
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
   * @param first token of the views with which the chunk begins
   * @param tokens 1 to the parameters' chunk
   */
  public void load(TokenTensor q, TokenTensor k, int keyHead, int first, int tokens) {
    this.first = first;
    this.tokens = tokens;
    int chunk = parameters.chunk();
    KeyHead.gather(parameters.normalise(), q, keyHead, first, tokens, this.q);
    KeyHead.gather(parameters.normalise(), k, keyHead, first, tokens, this.k);
    KeyKeyProduct.products(this.k, keyKey, tokens, chunk, keyWidth);
    ChunkOutput.products(this.q, this.k, queryKey, tokens, chunk, keyWidth);
  }

  /**
   * Runs the loaded chunk for one value head.
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
    int chunk = parameters.chunk();
    for (int r = 0; r < tokens; r++) {
      int from = v.at(first + r, valueHead);
      System.arraycopy(v.data(), from, this.v, r * valueWidth, valueWidth);
      this.beta[r] = beta.data()[beta.at(first + r) + valueHead];
    }
    CumulativeGate.sum(g.data(), g.at(first) + valueHead, g.tokenStride(), sums, tokens);
    CumulativeGate.between(sums, decays, tokens, chunk);
    CumulativeGate.fromEntry(sums, entryDecays, tokens);
    KeyKeyProduct.gate(keyKey, decays, this.beta, a, tokens, chunk);
    TriangularSolve.invert(a, t, chunk, solving);
    WyRepresentation.w(t, this.beta, entryDecays, k, w, tokens, chunk, keyWidth);
    WyRepresentation.u(t, this.beta, this.v, u, tokens, chunk, valueWidth);
    StatePassing.residual(u, w, state, stateAt, tokens, keyWidth, valueWidth);
    ChunkOutput.output(
        parameters.scale(),
        q,
        queryKey,
        u,
        decays,
        entryDecays,
        state,
        stateAt,
        o.data(),
        o.at(first, valueHead),
        o.tokenStride(),
        tokens,
        chunk,
        keyWidth,
        valueWidth);
    StatePassing.advance(
        k, u, decays, entryDecays, state, stateAt, tokens, chunk, keyWidth, valueWidth);
  }
}
