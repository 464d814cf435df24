package dev.gdn.core.rule;

import dev.gdn.core.tensor.Rows;
import dev.gdn.core.tensor.TokenTensor;
import java.util.Arrays;

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

  // Of one value head: [C, V] each but the decays, [K], then [C, C] up to the inverse, [C, K].
  private final ChunkDecays decays;
  private final float[] stateDecays;
  private final float[] v;
  private final float[] beta;
  private final float[] u;
  private final float[] headBeta;
  private final float[] a;
  private final float[] t;
  private final float[] solving;
  private final float[] w;
  private final float[] keyState;
  private final float[] queryState;
  private final float[] valueDecays;
  private final float[] fromEntry;
  private final float[] unwanted;

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
    decays = new ChunkDecays(chunk, keyWidth);
    stateDecays = new float[keyWidth];
    v = new float[chunk * valueWidth];
    beta = new float[chunk * valueWidth];
    u = new float[chunk * valueWidth];
    headBeta = new float[chunk];
    a = new float[chunk * chunk];
    t = new float[chunk * chunk];
    solving = new float[TriangularSolve.scratch(chunk)];
    w = new float[chunk * keyWidth];
    keyState = new float[chunk * valueWidth];
    queryState = new float[chunk * valueWidth];
    valueDecays = new float[chunk * valueWidth];
    fromEntry = new float[valueWidth];
    unwanted = new float[chunk * valueWidth];
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
   * @param gates {@link Gates#complete}
   * @param state of this value head, {@code [K, V]} from {@code stateAt} on, updated
   * @param o {@code [·, HV, V]}; null if only the state is wanted
   */
  public void apply(
      TokenTensor v, Gates gates, int valueHead, float[] state, int stateAt, TokenTensor o) {
    for (int r = 0; r < tokens; r++) {
      int row = r * valueWidth;
      System.arraycopy(v.data(), v.at(first + r, valueHead), this.v, row, valueWidth);
      gates.gatherBeta(first + r, valueHead, v.heads(), beta, row, valueWidth);
    }
    if (gates.gk() == null) {
      decays.perHead(gates, valueHead, first, q, k, keyKey, queryKey, tokens);
    } else {
      decays.perKey(gates, valueHead, first, q, k, tokens);
    }
    if (gates.perValue(v.heads())) {
      sweep(gates.gv(), valueHead, state, stateAt, o);
    } else {
      residual(state, stateAt);
      if (o != null) {
        output(state, stateAt, o, valueHead);
      }
    }
    if (gates.gk() != null) {
      decays.stateDecays(stateDecays, tokens);
      StatePassing.decayKeys(stateDecays, 0, state, stateAt, keyWidth, valueWidth);
    }
    if (gates.gv() != null) {
      StatePassing.decayValues(fromEntry, state, stateAt, keyWidth, valueWidth);
    }
    StatePassing.advance(
        decays.exitKeys,
        u,
        decays.decays,
        decays.entryDecays,
        state,
        stateAt,
        tokens,
        parameters.chunk(),
        keyWidth,
        valueWidth);
  }

  private void residual(float[] state, int stateAt) {
    int chunk = parameters.chunk();
    if (parameters.update() == StateUpdate.ADDITIVE) {
      System.arraycopy(v, 0, u, 0, tokens * valueWidth);
      Rows.multiply(beta, 0, u, 0, tokens * valueWidth);
      return;
    }
    for (int r = 0; r < tokens; r++) {
      headBeta[r] = beta[r * valueWidth];
    }
    KeyKeyProduct.gate(decays.keyKey, decays.decays, headBeta, a, tokens, chunk);
    TriangularSolve.invert(a, t, chunk, solving);
    WyRepresentation.w(
        t, headBeta, decays.entryDecays, decays.entryKeys, w, tokens, chunk, keyWidth);
    WyRepresentation.u(t, headBeta, v, u, tokens, chunk, valueWidth);
    StatePassing.residual(u, w, state, stateAt, tokens, keyWidth, valueWidth);
  }

  private void output(float[] state, int stateAt, TokenTensor o, int valueHead) {
    ChunkOutput.output(
        parameters.scale(),
        decays.entryQueries,
        decays.queryKey,
        u,
        decays.decays,
        decays.entryDecays,
        state,
        stateAt,
        o.data(),
        o.at(first, valueHead),
        o.tokenStride(),
        tokens,
        parameters.chunk(),
        keyWidth,
        valueWidth);
  }

  // Residual and output together.
  private void sweep(TokenTensor gv, int valueHead, float[] state, int stateAt, TokenTensor o) {
    int chunk = parameters.chunk();
    multiply(decays.entryKeys, state, stateAt, keyState);
    multiply(decays.entryQueries, state, stateAt, queryState);
    for (int r = 0; r < tokens; r++) {
      for (int j = 0; j < r; j++) {
        a[r * chunk + j] = decays.keyKey[r * chunk + j] * decays.decays[r * chunk + j];
      }
      for (int j = 0; j <= r; j++) {
        t[r * chunk + j] = decays.queryKey[r * chunk + j] * decays.decays[r * chunk + j];
      }
      for (int j = 0; j < valueWidth; j++) {
        float gate = gv == null ? 0 : gv.data()[gv.at(first + r, valueHead) + j];
        valueDecays[r * valueWidth + j] = (float) Math.exp(gate);
      }
    }
    System.arraycopy(v, 0, u, 0, tokens * valueWidth);
    ValueSweep.run(
        parameters.scale(),
        parameters.update() == StateUpdate.DELTA,
        a,
        t,
        keyState,
        queryState,
        valueDecays,
        beta,
        u,
        fromEntry,
        o == null ? unwanted : o.data(),
        o == null ? 0 : o.at(first, valueHead),
        o == null ? valueWidth : o.tokenStride(),
        tokens,
        chunk,
        valueWidth);
  }

  // x S with its decay, [C, V].
  private void multiply(float[] x, float[] state, int stateAt, float[] product) {
    Arrays.fill(product, 0, tokens * valueWidth, 0);
    for (int r = 0; r < tokens; r++) {
      for (int i = 0; i < keyWidth; i++) {
        float factor = decays.entryDecays[r] * x[r * keyWidth + i];
        Rows.addScaled(
            factor, state, stateAt + i * valueWidth, product, r * valueWidth, valueWidth);
      }
    }
  }
}
