package dev.gdn.kernels.vector;

import dev.gdn.core.rule.RuleParameters;
import dev.gdn.core.tensor.TokenTensor;

/** The checked arguments of the call in progress, which all workers read. */
final class RuleCall {
  RuleParameters parameters;
  TokenTensor q;
  TokenTensor k;
  TokenTensor v;
  TokenTensor g;
  TokenTensor beta;
  float[] state;
  int stateOffset;
  TokenTensor o;
  int tokens;
  int keyHeads;
  int valueHeads;
  int keyWidth;
  int valueWidth;

  /**
   * Takes the arguments of {@link dev.gdn.core.kernel.DeltaRule}.
   *
   * @throws IllegalArgumentException naming the argument that does not fit
   */
  void set(
      RuleParameters parameters,
      TokenTensor q,
      TokenTensor k,
      TokenTensor v,
      TokenTensor g,
      TokenTensor beta,
      float[] state,
      int stateOffset,
      TokenTensor o,
      int tokens) {
    keyHeads = k.heads();
    keyWidth = k.width();
    valueHeads = v.heads();
    valueWidth = v.width();
    k.check("k", tokens, keyHeads, keyWidth);
    q.check("q", tokens, keyHeads, keyWidth);
    v.check("v", tokens, valueHeads, valueWidth);
    o.check("o", tokens, valueHeads, valueWidth);
    g.check("g", tokens, 1, valueHeads);
    beta.check("beta", tokens, 1, valueHeads);
    if (valueHeads % keyHeads != 0) {
      throw new IllegalArgumentException(
          "v: expected a multiple of the %d key heads, found %d heads"
              .formatted(keyHeads, valueHeads));
    }
    long size = (long) valueHeads * keyWidth * valueWidth;
    if (stateOffset < 0 || stateOffset + size > state.length) {
      throw new IllegalArgumentException(
          "state: expected %d x %d x %d values from %d on, found an array of %d"
              .formatted(valueHeads, keyWidth, valueWidth, stateOffset, state.length));
    }
    this.parameters = parameters;
    this.q = q;
    this.k = k;
    this.v = v;
    this.g = g;
    this.beta = beta;
    this.state = state;
    this.stateOffset = stateOffset;
    this.o = o;
    this.tokens = tokens;
  }

  /** Value heads that share a key head. */
  int group() {
    return valueHeads / keyHeads;
  }

  /** Index of the first element of a value head's state. */
  int stateAt(int valueHead) {
    return stateOffset + valueHead * keyWidth * valueWidth;
  }
}
