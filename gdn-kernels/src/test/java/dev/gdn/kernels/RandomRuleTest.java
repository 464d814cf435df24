package dev.gdn.kernels;

import dev.gdn.core.kernel.Kernels;
import dev.gdn.core.rule.HeadMapping;
import dev.gdn.core.rule.RuleParameters;
import dev.gdn.core.rule.StateUpdate;
import dev.gdn.core.tensor.TokenTensor;
import dev.gdn.kernels.RuleCase.Kind;
import dev.gdn.kernels.RuleCase.Size;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/**
 * The rule with random sizes and options against the definition in float64: any of its kinds, in
 * either form, split at any two tokens.
 */
class RandomRuleTest {
  /** Each with the scratch memory that the cases before have left. */
  private static final List<Kernels> KERNELS =
      KernelSet.all().stream().map(KernelSet::open).toList();

  @Property
  void anySplitIntoBothFormsFollowsTheDefinition(
      @ForAll @IntRange(max = 130) int tokens,
      @ForAll @IntRange(min = 1, max = 3) int keyHeads,
      @ForAll @IntRange(min = 1, max = 3) int group,
      @ForAll @IntRange(min = 1, max = 70) int keyWidth,
      @ForAll @IntRange(min = 1, max = 70) int valueWidth,
      @ForAll @IntRange(max = 2) int chunk,
      @ForAll boolean normalise,
      @ForAll HeadMapping mapping,
      @ForAll StateUpdate update,
      @ForAll @IntRange(max = 7) int kind,
      @ForAll @IntRange(max = 130) int firstSplit,
      @ForAll @IntRange(max = 130) int secondSplit,
      @ForAll boolean chunkFirst,
      @ForAll long seed) {
    Size size = new Size(tokens, keyHeads, keyHeads * group, keyWidth, valueWidth);
    RuleParameters parameters = new RuleParameters(0.3f, normalise, mapping, 16 << chunk, update);
    Kind gates = new Kind((kind & 1) != 0, (kind & 2) != 0, (kind & 4) != 0);
    RuleCase ruleCase = RuleCase.random(parameters, size, seed).with(gates, seed);
    int first = Math.min(tokens, Math.min(firstSplit, secondSplit));
    int second = Math.min(tokens, Math.max(firstSplit, secondSplit));
    for (Kernels kernels : KERNELS) {
      TokenTensor o = ruleCase.blankOutput();
      float[] state = ruleCase.state().clone();
      ruleCase.run(kernels.rule(), chunkFirst, 0, first, state, o);
      ruleCase.run(kernels.rule(), !chunkFirst, first, second - first, state, o);
      ruleCase.run(kernels.rule(), chunkFirst, second, tokens - second, state, o);
      ruleCase.assertClose(kernels.name(), o, state);
    }
  }
}
