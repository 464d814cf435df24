package dev.gdn.kernels;

import dev.gdn.core.backward.BackwardPass;
import dev.gdn.core.concurrent.Workers;
import dev.gdn.core.kernel.DeltaRuleBackward;
import dev.gdn.core.kernel.Kernels;
import dev.gdn.core.kernel.RuleDerivatives;
import dev.gdn.core.rule.HeadMapping;
import dev.gdn.core.rule.RuleParameters;
import dev.gdn.core.rule.StateUpdate;
import dev.gdn.core.tensor.TokenTensor;
import dev.gdn.kernels.RuleCase.Kind;
import dev.gdn.kernels.RuleCase.Size;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/**
 * The backward pass of all kernels with random sizes and options against that in plain loops, which
 * {@link BackwardPassTest} checks against the definition.
 */
class RandomBackwardTest {
  /** Each with the scratch memory that the cases before have left. */
  private static final List<Kernels> KERNELS =
      KernelSet.all().stream().map(KernelSet::open).toList();

  private static final BackwardPass PLAIN = new BackwardPass(Workers.of(1));

  // Both are float32; each misses by some hundred units of the largest value.
  private static final double TOLERANCE = 5e-5;

  @Property(tries = 300)
  void kernelsAgreeWithPlainLoops(
      @ForAll @IntRange(max = 130) int tokens,
      @ForAll @IntRange(min = 1, max = 2) int keyHeads,
      @ForAll @IntRange(min = 1, max = 3) int group,
      @ForAll @IntRange(min = 1, max = 70) int keyWidth,
      @ForAll @IntRange(min = 1, max = 70) int valueWidth,
      @ForAll @IntRange(max = 2) int chunk,
      @ForAll boolean normalise,
      @ForAll HeadMapping mapping,
      @ForAll StateUpdate update,
      @ForAll boolean fromZeros,
      @ForAll boolean outputOnly,
      @ForAll long seed) {
    Size size = new Size(tokens, keyHeads, keyHeads * group, keyWidth, valueWidth);
    RuleParameters parameters = new RuleParameters(0.3f, normalise, mapping, 16 << chunk, update);
    RuleCase ruleCase = RuleCase.random(parameters, size, seed);
    if (fromZeros) {
      Arrays.fill(ruleCase.state(), 0f);
    }
    compare(ruleCase, size, outputOnly, seed);
  }

  @Property(tries = 20)
  void everyOtherKindIsComputedToo(
      @ForAll @IntRange(min = 1, max = 7) int kind, @ForAll StateUpdate update, @ForAll long seed) {
    Size size = new Size(40, 1, 2, 5, 6);
    RuleParameters parameters = new RuleParameters(1, true, HeadMapping.GROUPED, 16, update);
    Kind gates = new Kind((kind & 1) != 0, (kind & 2) != 0, (kind & 4) != 0);
    compare(RuleCase.random(parameters, size, seed).with(gates, seed), size, false, seed);
  }

  private static void compare(RuleCase c, Size size, boolean outputOnly, long seed) {
    Random random = new Random(seed);
    TokenTensor dOutput = Views.random(random, c.tokens(), size.valueHeads(), size.valueWidth());
    float[] dState = new float[c.state().length];
    Arrays.fill(dState, Float.NaN);
    for (int i = 0; i < size.stateSize(); i++) {
      dState[RuleCase.STATE_OFFSET + i] = outputOnly ? 0 : (float) random.nextGaussian();
    }
    float[] expectedState = dState.clone();
    RuleDerivatives expected = run(PLAIN, c, dOutput, expectedState);
    for (Kernels kernels : KERNELS) {
      float[] foundState = dState.clone();
      RuleDerivatives found = run(kernels.backward(), c, dOutput, foundState);
      String what = kernels.name() + ", ";
      compare(what + "q", expected.q(), found.q(), c.tokens());
      compare(what + "k", expected.k(), found.k(), c.tokens());
      compare(what + "v", expected.v(), found.v(), c.tokens());
      compare(what + "g", expected.g(), found.g(), c.tokens());
      compare(what + "gk", expected.gk(), found.gk(), c.tokens());
      compare(what + "gv", expected.gv(), found.gv(), c.tokens());
      compare(what + "beta", expected.beta(), found.beta(), c.tokens());
      compare(what + "state", state(expectedState, size), state(foundState, size), 1);
    }
  }

  private static TokenTensor state(float[] values, Size size) {
    int count = size.stateSize();
    return new TokenTensor(values, RuleCase.STATE_OFFSET, count, 1, count, count);
  }

  private static RuleDerivatives run(
      DeltaRuleBackward backward, RuleCase c, TokenTensor dOutput, float[] dState) {
    RuleDerivatives d = c.blankDerivatives();
    backward.run(c.call(c.state(), c.blankOutput()), c.tokens(), dOutput, dState, d);
    return d;
  }

  private static void compare(String what, TokenTensor expected, TokenTensor found, int tokens) {
    double largest = 1;
    for (int pass = 0; pass < 2 && expected != null; pass++) {
      for (int t = 0; t < tokens; t++) {
        for (int h = 0; h < expected.heads(); h++) {
          for (int i = 0; i < expected.width(); i++) {
            double value = Views.get(expected, t, h, i);
            largest = Math.max(largest, Math.abs(value));
            if (pass == 1) {
              double other = Views.get(found, t, h, i);
              Views.assertNear(what + " of token " + t, value, other, TOLERANCE * largest);
            }
          }
        }
      }
    }
    if (expected != null) {
      Views.assertGapsUntouched(found, tokens);
    }
  }
}
