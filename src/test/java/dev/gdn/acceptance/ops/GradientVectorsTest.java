package dev.gdn.acceptance.ops;

import dev.gdn.core.batch.RuleBackward;
import dev.gdn.core.batch.RuleGradients;
import dev.gdn.core.concurrent.Workers;
import dev.gdn.core.kernel.KernelProvider;
import dev.gdn.core.rule.HeadMapping;
import dev.gdn.core.rule.RuleParameters;
import dev.gdn.model.safetensors.SafetensorsFile;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Derivatives of the gated delta rule, of all kernels and in all chunk sizes. */
class GradientVectorsTest {
  // Ten times what was seen: sums over all tokens, in float32.
  private static final double TOLERANCE = 2e-6;

  static List<String> cases() {
    return Vectors.ofOp("gated_delta_rule_backward");
  }

  @ParameterizedTest
  @MethodSource("cases")
  void derivativesAgree(String name) {
    for (KernelProvider provider : Vectors.kernels()) {
      for (int chunk : new int[] {16, 32, 64}) {
        check(name, provider, chunk);
      }
    }
  }

  private static void check(String name, KernelProvider provider, int chunk) {
    try (SafetensorsFile file = Vectors.open(name)) {
      RuleParameters parameters =
          new RuleParameters(
              Float.parseFloat(file.metadata().get("scale")),
              Boolean.parseBoolean(file.metadata().get("qk_l2norm")),
              HeadMapping.GROUPED,
              chunk);
      RuleGradients found =
          new RuleBackward(provider.open(Workers.shared()).backward())
              .apply(
                  parameters,
                  RuleVectorsTest.batch(file),
                  file.tensor("do").toFloats(),
                  file.tensor("dfinal_state").toFloats());
      String what = "%s, %s kernels, chunk %d, ".formatted(name, provider.name(), chunk);
      check(file, what, "dq", found.q());
      check(file, what, "dk", found.k());
      check(file, what, "dv", found.v());
      check(file, what, "dg", found.g());
      check(file, what, "dbeta", found.beta());
      check(file, what, "dinitial_state", found.initialState());
    }
  }

  private static void check(SafetensorsFile file, String what, String tensor, float[] found) {
    Vectors.assertClose(what + tensor, file.tensor(tensor).toDoubles(), found, TOLERANCE);
  }
}
