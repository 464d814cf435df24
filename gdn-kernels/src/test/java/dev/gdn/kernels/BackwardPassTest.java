package dev.gdn.kernels;

import static dev.gdn.kernels.ShortConvolutionTest.refused;

import dev.gdn.core.concurrent.Workers;
import dev.gdn.core.kernel.RuleCall;
import dev.gdn.core.kernel.RuleDerivatives;
import dev.gdn.core.rule.Gates;
import dev.gdn.core.rule.HeadMapping;
import dev.gdn.core.rule.RuleParameters;
import dev.gdn.core.rule.StateUpdate;
import dev.gdn.core.tensor.TokenTensor;
import dev.gdn.kernels.RuleCase.Kind;
import dev.gdn.kernels.RuleCase.Size;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Derivatives against differences of the definition in float64, for every kind of gate. */
class BackwardPassTest {
  private static final Size SIZE = new Size(37, 1, 2, 5, 3);
  private static final float STEP = 0x1p-10f;

  @ParameterizedTest
  @MethodSource("dev.gdn.kernels.KernelSet#all")
  void everyDerivativeIsThatOfTheDefinition(KernelSet set) {
    int seed = 0;
    for (StateUpdate update : StateUpdate.values()) {
      for (int kind = 0; kind < 8; kind++) {
        seed++;
        HeadMapping mapping = seed % 2 == 0 ? HeadMapping.GROUPED : HeadMapping.TILED;
        RuleParameters parameters =
            new RuleParameters(0.7f, seed % 3 != 0, mapping, 16 << seed % 3, update);
        Kind gates = new Kind((kind & 1) != 0, (kind & 2) != 0, (kind & 4) != 0);
        Size size = seed % 2 == 0 ? SIZE : new Size(37, 2, 2, 4, 6);
        RuleCase ruleCase = RuleCase.random(parameters, size, seed).with(gates, seed);
        check(set, ruleCase, update + ", " + gates, seed);
      }
    }
  }

  // More columns than a panel of the vector kernels has, and more chunks than one.
  @ParameterizedTest
  @MethodSource("dev.gdn.kernels.KernelSet#all")
  void soIsEveryDerivativeOfWiderHeads(KernelSet set) {
    for (StateUpdate update : StateUpdate.values()) {
      RuleParameters parameters = new RuleParameters(0.7f, true, HeadMapping.GROUPED, 16, update);
      check(set, RuleCase.random(parameters, new Size(21, 1, 2, 19, 35), 3), update + ", wide", 3);
    }
  }

  private static void check(KernelSet set, RuleCase c, String what, int seed) {
    Random random = new Random(seed);
    TokenTensor dOutput = Views.random(random, c.tokens(), c.v().heads(), c.v().width());
    float[] dState = new float[c.state().length];
    Arrays.fill(dState, Float.NaN);
    for (int i = 0; i < c.expectedState().length; i++) {
      dState[RuleCase.STATE_OFFSET + i] = (float) random.nextGaussian();
    }
    float[] dInitial = dState.clone();
    RuleDerivatives d = run(set, c, dOutput, dInitial);
    Loss loss = new Loss(dOutput, dState);
    compare(what + ", q", c, loss, c.q(), d.q());
    compare(what + ", k", c, loss, c.k(), d.k());
    compare(what + ", v", c, loss, c.v(), d.v());
    compare(what + ", g", c, loss, c.g(), d.g());
    compare(what + ", beta", c, loss, c.beta(), d.beta());
    if (d.gk() != null) {
      compare(what + ", gk", c, loss, c.gates().gk(), d.gk());
    }
    if (d.gv() != null) {
      compare(what + ", gv", c, loss, c.gates().gv(), d.gv());
    }
    int size = c.expectedState().length;
    compare(
        what + ", state",
        c,
        loss,
        new TokenTensor(c.state(), RuleCase.STATE_OFFSET, size, 1, size, size),
        new TokenTensor(dInitial, RuleCase.STATE_OFFSET, size, 1, size, size));
  }

  private static RuleDerivatives run(
      KernelSet set, RuleCase c, TokenTensor dOutput, float[] dState) {
    RuleDerivatives d = c.blankDerivatives();
    try (Workers workers = Workers.of(2)) {
      set.open(workers).backward().run(call(c), c.tokens(), dOutput, dState, d);
    }
    return d;
  }

  private static RuleCall call(RuleCase c) {
    return new RuleCall(
        c.parameters(),
        c.q(),
        c.k(),
        c.v(),
        c.gates(),
        c.state(),
        RuleCase.STATE_OFFSET,
        c.blankOutput());
  }

  /** Σ do ∘ o + Σ dS ∘ S of the last state, as the definition has them. */
  private record Loss(TokenTensor dOutput, float[] dState) {
    double of(RuleCase c) {
      double sum = 0;
      int width = dOutput.width();
      for (int i = 0; i < c.expectedOutput().length; i++) {
        int head = i / width % dOutput.heads();
        double d = Views.get(dOutput, i / width / dOutput.heads(), head, i % width);
        sum += d * c.expectedOutput()[i];
      }
      for (int i = 0; i < c.expectedState().length; i++) {
        sum += dState[RuleCase.STATE_OFFSET + i] * c.expectedState()[i];
      }
      return sum;
    }
  }

  // The input is changed in place, one element at a time.
  private static void compare(
      String what, RuleCase c, Loss loss, TokenTensor input, TokenTensor derivatives) {
    int tokens = input.width() == c.expectedState().length ? 1 : c.tokens();
    double largest = 1;
    for (int pass = 0; pass < 2; pass++) {
      for (int t = 0; t < tokens; t += 3) {
        for (int h = 0; h < input.heads(); h++) {
          for (int i = 0; i < input.width(); i++) {
            double expected = difference(c, loss, input.data(), input.at(t, h) + i);
            largest = Math.max(largest, Math.abs(expected));
            if (pass == 1) {
              double found = Views.get(derivatives, t, h, i);
              Views.assertNear(what + " of token " + t, expected, found, 1e-4 * largest);
            }
          }
        }
      }
    }
    Views.assertGapsUntouched(derivatives, tokens);
  }

  private static double difference(RuleCase c, Loss loss, float[] data, int at) {
    float value = data[at];
    float more = value + STEP;
    float less = value - STEP;
    data[at] = more;
    double after = loss.of(c.again());
    data[at] = less;
    double before = loss.of(c.again());
    data[at] = value;
    return (after - before) / ((double) more - less);
  }

  // One token, K and V of 1, with k = q = s = 1: o = (1 − β) e^gv S + β v.
  @ParameterizedTest
  @MethodSource("dev.gdn.kernels.KernelSet#all")
  void gatesOfValuesSeeSmallStatesBesideLargeValues(KernelSet set) {
    TokenTensor one = TokenTensor.of(new float[] {1}, 1, 1);
    TokenTensor v = TokenTensor.of(new float[] {1e6f}, 1, 1);
    TokenTensor gv = TokenTensor.of(new float[] {-0.5f}, 1, 1);
    TokenTensor beta = TokenTensor.of(new float[] {0.5f}, 1);
    TokenTensor g = TokenTensor.of(new float[] {0}, 1);
    RuleParameters parameters = new RuleParameters(1, false, HeadMapping.GROUPED, 16);
    Gates gates = new Gates(g, null, gv, beta);
    RuleCall call = new RuleCall(parameters, one, one, v, gates, new float[] {0.01f}, 0, null);
    RuleDerivatives d =
        new RuleDerivatives(
            Views.blank(1, 1, 1),
            Views.blank(1, 1, 1),
            Views.blank(1, 1, 1),
            Views.blank(1, 1, 1),
            null,
            Views.blank(1, 1, 1),
            Views.blank(1, 1, 1));
    try (Workers workers = Workers.of(1)) {
      set.open(workers).backward().run(call, 1, one, new float[1], d);
    }
    double expected = 0.5 * Math.exp(-0.5) * 0.01f;
    Views.assertNear("gv", expected, Views.get(d.gv(), 0, 0, 0), 1e-6 * expected);
  }

  // The same with a gate per head: dg = (1 − β) e^g S, beside an output of 5e5.
  @ParameterizedTest
  @MethodSource("dev.gdn.kernels.KernelSet#all")
  void gatesOfHeadsSeeSmallStatesBesideLargeValues(KernelSet set) {
    TokenTensor one = TokenTensor.of(new float[] {1}, 1, 1);
    TokenTensor v = TokenTensor.of(new float[] {1e6f}, 1, 1);
    Gates gates =
        Gates.perHead(
            TokenTensor.of(new float[] {-0.5f}, 1), TokenTensor.of(new float[] {0.5f}, 1));
    RuleParameters parameters = new RuleParameters(1, false, HeadMapping.GROUPED, 16);
    RuleCall call = new RuleCall(parameters, one, one, v, gates, new float[] {0.01f}, 0, null);
    RuleDerivatives d =
        new RuleDerivatives(
            Views.blank(1, 1, 1),
            Views.blank(1, 1, 1),
            Views.blank(1, 1, 1),
            Views.blank(1, 1, 1),
            null,
            null,
            Views.blank(1, 1, 1));
    try (Workers workers = Workers.of(1)) {
      set.open(workers).backward().run(call, 1, one, new float[1], d);
    }
    double expected = 0.5 * Math.exp(-0.5) * 0.01f;
    Views.assertNear("g", expected, Views.get(d.g(), 0, 0, 0), 1e-6 * expected);
  }

  @ParameterizedTest
  @MethodSource("dev.gdn.kernels.KernelSet#all")
  void viewsThatDoNotFitAreRefused(KernelSet set) {
    RuleParameters parameters = RuleParameters.standard(5, HeadMapping.GROUPED);
    RuleCase c = RuleCase.random(parameters, SIZE, 1);
    TokenTensor dOutput = Views.blank(SIZE.tokens(), 2, 3);
    float[] dState = new float[c.state().length];
    refused(
        () -> run(set, c, Views.blank(SIZE.tokens(), 2, 4), dState),
        "derivatives by o: expected 2 heads of width 3, found 2 of 4");
    refused(
        () -> run(set, c, dOutput, Arrays.copyOf(dState, 7)),
        "derivatives by the state: expected 37 values, found 7");
    try (Workers workers = Workers.of(1)) {
      TokenTensor wrong = Views.blank(SIZE.tokens() - 2, 1, 5);
      TokenTensor right = Views.blank(SIZE.tokens(), 1, 5);
      TokenTensor perHead = Views.blank(SIZE.tokens(), 1, 2);
      RuleDerivatives d = new RuleDerivatives(right, wrong, dOutput, perHead, null, null, perHead);
      refused(
          () -> set.open(workers).backward().run(call(c), SIZE.tokens(), dOutput, dState, d),
          "derivatives by k: 37 tokens end at");
    }
  }
}
