package dev.gdn.kernels;

import static dev.gdn.kernels.Views.get;

import dev.gdn.core.kernel.DeltaRule;
import dev.gdn.core.kernel.RuleCall;
import dev.gdn.core.kernel.RuleDerivatives;
import dev.gdn.core.rule.Gates;
import dev.gdn.core.rule.HeadMapping;
import dev.gdn.core.rule.RuleParameters;
import dev.gdn.core.rule.StateUpdate;
import dev.gdn.core.tensor.TokenTensor;
import java.util.Arrays;
import java.util.Random;

/** Inputs of the gated delta rule with what the definition gives in float64. */
record RuleCase(
    RuleParameters parameters,
    int tokens,
    TokenTensor q,
    TokenTensor k,
    TokenTensor v,
    Gates gates,
    float[] state,
    double[] expectedOutput,
    double[] expectedState) {
  /** Elements before the state in its array. */
  static final int STATE_OFFSET = 5;

  /** Sizes of a case. */
  record Size(int tokens, int keyHeads, int valueHeads, int keyWidth, int valueWidth) {
    int stateSize() {
      return valueHeads * keyWidth * valueWidth;
    }
  }

  /** A random case from a non-zero state; gates and betas cover their ranges. */
  static RuleCase random(RuleParameters parameters, Size size, long seed) {
    Random random = new Random(seed);
    TokenTensor q = Views.random(random, size.tokens, size.keyHeads, size.keyWidth);
    TokenTensor k = Views.random(random, size.tokens, size.keyHeads, size.keyWidth);
    TokenTensor v = Views.random(random, size.tokens, size.valueHeads, size.valueWidth);
    TokenTensor g = Views.blank(size.tokens, 1, size.valueHeads);
    TokenTensor beta = Views.blank(size.tokens, 1, size.valueHeads);
    double[] gates = {-0.01, -0.1, -1, -10, -1000};
    for (int t = 0; t < size.tokens; t++) {
      for (int h = 0; h < size.valueHeads; h++) {
        double gate = gates[Math.min((int) (random.nextDouble() * 20), 19) / 4];
        boolean mild = random.nextInt(8) != 0;
        g.data()[g.at(t) + h] =
            random.nextInt(16) == 0 ? 0 : (float) (random.nextDouble() * (mild ? -0.1 : gate));
        beta.data()[beta.at(t) + h] = random.nextInt(16) == 0 ? 0 : 2 * random.nextFloat();
      }
    }
    if (!parameters.normalise()) {
      normalise(q, size.tokens);
      normalise(k, size.tokens);
    }
    float[] state = new float[STATE_OFFSET + size.stateSize() + 2];
    Arrays.fill(state, Float.NaN);
    for (int i = 0; i < size.stateSize(); i++) {
      state[STATE_OFFSET + i] = (float) random.nextGaussian();
    }
    return of(parameters, size.tokens, q, k, v, Gates.perHead(g, beta), state);
  }

  /** The same inputs, as they are now, with what the definition gives for them. */
  RuleCase again() {
    return of(parameters, tokens, q, k, v, gates, state);
  }

  /** Which gates a case has beside those per head, and whether its betas are per value channel. */
  record Kind(boolean perKey, boolean perValue, boolean betaPerValue) {}

  /** The same case with further gates. */
  RuleCase with(Kind kind, long seed) {
    Random random = new Random(seed);
    int heads = v.heads();
    TokenTensor betas = kind.betaPerValue ? Views.blank(tokens, heads, v.width()) : beta();
    for (int t = 0; t < tokens && kind.betaPerValue; t++) {
      for (int h = 0; h < heads; h++) {
        for (int j = 0; j < v.width(); j++) {
          betas.data()[betas.at(t, h) + j] = random.nextInt(16) == 0 ? 0 : 2 * random.nextFloat();
        }
      }
    }
    Gates all =
        new Gates(
            g(),
            kind.perKey ? channelGates(random, heads, k.width()) : null,
            kind.perValue ? channelGates(random, heads, v.width()) : null,
            betas);
    return of(parameters, tokens, q, k, v, all, state);
  }

  private TokenTensor channelGates(Random random, int heads, int width) {
    TokenTensor gate = Views.blank(tokens, heads, width);
    double[] gates = {-0.01, -0.2, -5, -100, -1000};
    for (int t = 0; t < tokens; t++) {
      for (int h = 0; h < heads; h++) {
        for (int i = 0; i < width; i++) {
          boolean none = random.nextInt(16) == 0;
          double most = gates[random.nextInt(20) == 0 ? random.nextInt(5) : 0];
          gate.data()[gate.at(t, h) + i] = none ? 0 : (float) (random.nextDouble() * most);
        }
      }
    }
    return gate;
  }

  TokenTensor g() {
    return gates.g();
  }

  TokenTensor beta() {
    return gates.beta();
  }

  static RuleCase of(
      RuleParameters parameters,
      int tokens,
      TokenTensor q,
      TokenTensor k,
      TokenTensor v,
      Gates gates,
      float[] state) {
    int stateSize = v.heads() * q.width() * v.width();
    double[] finalState = new double[stateSize];
    for (int i = 0; i < stateSize; i++) {
      finalState[i] = state[STATE_OFFSET + i];
    }
    double[] o = new double[tokens * v.heads() * v.width()];
    for (int t = 0; t < tokens; t++) {
      for (int h = 0; h < v.heads(); h++) {
        step(parameters, q, k, v, gates, t, h, finalState, o);
      }
    }
    return new RuleCase(parameters, tokens, q, k, v, gates, state, o, finalState);
  }

  // S ← diag(e^(g+gk)) S diag(e^gv); u = β ∘ (v − Sᵀk), or β ∘ v; S ← S + k uᵀ; o = s Sᵀq.
  private static void step(
      RuleParameters parameters,
      TokenTensor q,
      TokenTensor k,
      TokenTensor v,
      Gates gates,
      int t,
      int h,
      double[] state,
      double[] o) {
    int keyWidth = q.width();
    int valueWidth = v.width();
    int group = v.heads() / q.heads();
    int keyHead = parameters.heads() == HeadMapping.GROUPED ? h / group : h % q.heads();
    double[] query = head(parameters, q, t, keyHead);
    double[] key = head(parameters, k, t, keyHead);
    int at = h * keyWidth * valueWidth;
    for (int j = 0; j < valueWidth; j++) {
      double read = 0;
      for (int i = 0; i < keyWidth; i++) {
        double gate = get(gates.g(), t, 0, h) + channel(gates.gk(), t, h, i);
        state[at + i * valueWidth + j] *= Math.exp(gate + channel(gates.gv(), t, h, j));
        read += key[i] * state[at + i * valueWidth + j];
      }
      TokenTensor betas = gates.beta();
      double beta = gates.betaPerValue(v.heads()) ? get(betas, t, h, j) : get(betas, t, 0, h);
      double taken = parameters.update() == StateUpdate.DELTA ? read : 0;
      double u = beta * (get(v, t, h, j) - taken);
      double sum = 0;
      for (int i = 0; i < keyWidth; i++) {
        state[at + i * valueWidth + j] += key[i] * u;
        sum += query[i] * state[at + i * valueWidth + j];
      }
      o[(t * v.heads() + h) * valueWidth + j] = parameters.scale() * sum;
    }
  }

  private static double channel(TokenTensor gate, int t, int h, int i) {
    return gate == null ? 0 : get(gate, t, h, i);
  }

  private static double[] head(RuleParameters parameters, TokenTensor x, int t, int h) {
    double[] values = new double[x.width()];
    double squares = 1e-6;
    for (int i = 0; i < values.length; i++) {
      values[i] = get(x, t, h, i);
      squares += values[i] * values[i];
    }
    if (parameters.normalise()) {
      for (int i = 0; i < values.length; i++) {
        values[i] /= Math.sqrt(squares);
      }
    }
    return values;
  }

  private static void normalise(TokenTensor x, int tokens) {
    for (int t = 0; t < tokens; t++) {
      for (int h = 0; h < x.heads(); h++) {
        double squares = 0;
        for (int i = 0; i < x.width(); i++) {
          squares += get(x, t, h, i) * get(x, t, h, i);
        }
        for (int i = 0; i < x.width(); i++) {
          x.data()[x.at(t, h) + i] /= (float) Math.sqrt(squares);
        }
      }
    }
  }

  /** All of the case. */
  RuleCall call(float[] state, TokenTensor o) {
    return new RuleCall(parameters, q, k, v, gates, state, STATE_OFFSET, o);
  }

  /** One run of tokens of a case in one form. */
  void run(DeltaRule rule, boolean chunk, int from, int count, float[] state, TokenTensor o) {
    RuleCall call =
        new RuleCall(
            parameters,
            q.from(from),
            k.from(from),
            v.from(from),
            gates.from(from),
            state,
            STATE_OFFSET,
            o.from(from));
    if (chunk) {
      rule.chunk(call, count);
    } else {
      rule.recurrent(call, count);
    }
  }

  TokenTensor blankOutput() {
    return Views.blank(tokens, v.heads(), v.width());
  }

  /** Of every input, gates per channel only if there are any. */
  RuleDerivatives blankDerivatives() {
    return new RuleDerivatives(
        blankLike(q),
        blankLike(k),
        blankLike(v),
        blankLike(g()),
        blankLike(gates.gk()),
        blankLike(gates.gv()),
        blankLike(beta()));
  }

  private TokenTensor blankLike(TokenTensor view) {
    return view == null ? null : Views.blank(tokens, view.heads(), view.width());
  }

  /**
   * Compares with the definition. Rounding errors of the rule do not grow from step to step, as |I
   * − β k kᵀ| ≤ 1 for β ≤ 2, but they add up: over 130 tokens to some hundred units of the largest
   * value. 2e-5 is 336 units; public float32 implementations miss by about 1e-6.
   */
  void assertClose(String what, TokenTensor o, float[] state) {
    double tolerance = 2e-5 * Math.max(largest(expectedOutput), 1);
    for (int t = 0; t < tokens; t++) {
      for (int h = 0; h < v.heads(); h++) {
        String where = what + ", o of token " + t + ", head " + h;
        for (int j = 0; j < v.width(); j++) {
          Views.assertNear(
              where,
              expectedOutput[(t * v.heads() + h) * v.width() + j],
              get(o, t, h, j),
              tolerance);
        }
      }
    }
    Views.assertGapsUntouched(o, tokens);
    tolerance = 2e-5 * Math.max(largest(expectedState), 1);
    String where = what + ", state";
    for (int i = 0; i < expectedState.length; i++) {
      Views.assertNear(where, expectedState[i], state[STATE_OFFSET + i], tolerance);
    }
    Views.assertGapsUntouched(
        new TokenTensor(state, STATE_OFFSET, 0, 1, 0, expectedState.length), 1);
  }

  private static double largest(double[] values) {
    return Arrays.stream(values).map(Math::abs).max().orElse(0);
  }
}
