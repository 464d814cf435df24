package dev.gdn.cli;

import dev.gdn.core.batch.GatedDeltaRule;
import dev.gdn.core.batch.RuleBackward;
import dev.gdn.core.batch.RuleGradients;
import dev.gdn.core.batch.RuleResult;
import dev.gdn.core.batch.RuleShape;
import dev.gdn.core.kernel.KernelChoice;
import dev.gdn.core.kernel.Kernels;
import dev.gdn.core.tensor.Shape;
import dev.gdn.model.safetensors.SafetensorsWriter;

/** Runs cases of the rule on one set of kernels and names the results. */
final class RuleRun {
  private final GatedDeltaRule rule;
  private final RuleBackward backward;
  private final RuleOptions options;

  RuleRun(KernelOptions kernels, RuleOptions options) {
    Kernels opened = KernelChoice.named(kernels.name()).open(kernels.workers());
    rule = new GatedDeltaRule(opened.rule());
    backward = new RuleBackward(opened.backward());
    this.options = options;
  }

  /** The results of a case, ready to be written. */
  SafetensorsWriter run(RuleCase input) {
    SafetensorsWriter writer = new SafetensorsWriter();
    RuleResult result = rule.apply(options.form(), input.parameters(), input.batch());
    writer.add("o", values(input), result.output());
    writer.add("final_state", states(input), result.finalState());
    input.backward().ifPresent(from -> gradients(input, from, writer));
    return writer;
  }

  private void gradients(RuleCase input, RuleCase.Backward from, SafetensorsWriter writer) {
    RuleGradients gradients =
        backward.apply(input.parameters(), input.batch(), from.dOutput(), from.dFinalState());
    Shape keys = keys(input);
    Shape perHead = perHead(input);
    writer.add("dq", keys, gradients.q());
    writer.add("dk", keys, gradients.k());
    writer.add("dv", values(input), gradients.v());
    add(writer, "dg", perHead, gradients.g());
    add(writer, "dgk", perKey(input), gradients.gk());
    add(writer, "dgv", values(input), gradients.gv());
    boolean perValue = input.batch().betaPerValue();
    add(writer, "dbeta", perValue ? values(input) : perHead, gradients.beta());
    writer.add("dinitial_state", states(input), gradients.initialState());
  }

  private static void add(SafetensorsWriter writer, String name, Shape shape, float[] values) {
    if (values != null) {
      writer.add(name, shape, values);
    }
  }

  private static Shape keys(RuleCase input) {
    RuleShape s = input.batch().shape();
    return new Shape(s.batch(), s.tokens(), s.keyHeads(), s.keyWidth());
  }

  private static Shape perKey(RuleCase input) {
    RuleShape s = input.batch().shape();
    return new Shape(s.batch(), s.tokens(), s.valueHeads(), s.keyWidth());
  }

  private static Shape values(RuleCase input) {
    RuleShape s = input.batch().shape();
    return new Shape(s.batch(), s.tokens(), s.valueHeads(), s.valueWidth());
  }

  private static Shape perHead(RuleCase input) {
    RuleShape s = input.batch().shape();
    return new Shape(s.batch(), s.tokens(), s.valueHeads());
  }

  private Shape states(RuleCase input) {
    RuleShape s = input.batch().shape();
    return new Shape(
        options.stateShape(
            input.batch().sequences(), s.valueHeads(), s.keyWidth(), s.valueWidth()));
  }
}
