package dev.gdn.core.kernel;

import dev.gdn.core.rule.Gates;
import dev.gdn.core.rule.RuleParameters;
import dev.gdn.core.tensor.TokenTensor;
import java.util.Objects;

/**
 * What the gated delta rule reads and writes for one sequence; see {@link dev.gdn.core.rule} for
 * the conventions. A layer makes it once and uses it for every block of tokens. No output may
 * overlap an input.
 *
 * @param parameters scale, norm, heads, chunk, update
 * @param q {@code [tokens, H, K]}
 * @param k {@code [tokens, H, K]}
 * @param v {@code [tokens, HV, V]}, HV a multiple of H
 * @param gates decays and betas; completed, so that {@code g} and {@code beta} are never null
 * @param state {@code [HV, K, V]} from {@code stateOffset} on, updated in place
 * @param stateOffset index of the state's first element
 * @param o {@code [tokens, HV, V]}, overwritten; null if only the state is wanted
 */
public record RuleCall(
    RuleParameters parameters,
    TokenTensor q,
    TokenTensor k,
    TokenTensor v,
    Gates gates,
    float[] state,
    int stateOffset,
    TokenTensor o) {
  /**
   * @throws IllegalArgumentException naming the argument whose heads, width or size do not fit
   */
  public RuleCall {
    Objects.requireNonNull(parameters, "parameters");
    gates = gates.complete(v.heads());
    checkViews(q, k, v, gates, o, 0);
    if (v.heads() % k.heads() != 0) {
      throw new IllegalArgumentException(
          "v: expected a multiple of the %d key heads, found %d heads"
              .formatted(k.heads(), v.heads()));
    }
    long size = (long) v.heads() * k.width() * v.width();
    if (stateOffset < 0 || stateOffset + size > state.length) {
      throw new IllegalArgumentException(
          "state: expected %d x %d x %d values from %d on, found an array of %d"
              .formatted(v.heads(), k.width(), v.width(), stateOffset, state.length));
    }
  }

  /**
   * With gates and betas per head.
   *
   * @param g {@code [tokens, 1, HV]}, at most 0
   * @param beta {@code [tokens, 1, HV]}, from 0 to 2
   * @throws IllegalArgumentException naming the argument whose heads, width or size do not fit
   */
  public RuleCall(
      RuleParameters parameters,
      TokenTensor q,
      TokenTensor k,
      TokenTensor v,
      TokenTensor g,
      TokenTensor beta,
      float[] state,
      int stateOffset,
      TokenTensor o) {
    this(parameters, q, k, v, Gates.perHead(g, beta), state, stateOffset, o);
  }

  /** The same with the first {@code tokens} tokens left out. */
  public RuleCall from(int tokens) {
    return new RuleCall(
        parameters,
        q.from(tokens),
        k.from(tokens),
        v.from(tokens),
        gates.from(tokens),
        state,
        stateOffset,
        o == null ? null : o.from(tokens));
  }

  /**
   * The same with another state.
   *
   * @throws IllegalArgumentException if the array is too short
   */
  public RuleCall into(float[] state, int stateOffset) {
    return new RuleCall(parameters, q, k, v, gates, state, stateOffset, o);
  }

  /** The same for the state alone. */
  public RuleCall withoutOutput() {
    return new RuleCall(parameters, q, k, v, gates, state, stateOffset, null);
  }

  /**
   * Checks that every view holds this many tokens, and that their gates are at most 0.
   *
   * @throws IllegalArgumentException naming the view that does not, or the gate
   */
  public void checkTokens(int tokens) {
    checkViews(q, k, v, gates, o, tokens);
    gates.checkDecays(tokens);
  }

  private static void checkViews(
      TokenTensor q, TokenTensor k, TokenTensor v, Gates gates, TokenTensor o, int tokens) {
    k.check("k", tokens, k.heads(), k.width());
    q.check("q", tokens, k.heads(), k.width());
    v.check("v", tokens, v.heads(), v.width());
    if (o != null) {
      o.check("o", tokens, v.heads(), v.width());
    }
    gates.check(tokens, v.heads(), k.width(), v.width());
  }

  /** Gates per head, {@code [tokens, 1, HV]}. */
  public TokenTensor g() {
    return gates.g();
  }

  /** Betas, {@code [tokens, 1, HV]} or, per value channel, {@code [tokens, HV, V]}. */
  public TokenTensor beta() {
    return gates.beta();
  }

  /** Whether gates or betas differ from one value channel to another. */
  public boolean perValue() {
    return gates.perValue(v.heads());
  }

  /** H. */
  public int keyHeads() {
    return k.heads();
  }

  /** HV. */
  public int valueHeads() {
    return v.heads();
  }

  /** K. */
  public int keyWidth() {
    return k.width();
  }

  /** V. */
  public int valueWidth() {
    return v.width();
  }

  /** Value heads that share a key head. */
  public int group() {
    return v.heads() / k.heads();
  }

  /** The key head that a value head uses. */
  public int keyHead(int valueHead) {
    return parameters.heads().keyHead(valueHead, k.heads(), v.heads());
  }

  /** The {@code n}-th value head, from 0 to {@code group() - 1}, that uses a key head. */
  public int valueHead(int keyHead, int n) {
    return parameters.heads().valueHead(keyHead, n, k.heads(), v.heads());
  }

  /** Index of the first element of a value head's state. */
  public int stateAt(int valueHead) {
    return stateOffset + valueHead * k.width() * v.width();
  }
}
