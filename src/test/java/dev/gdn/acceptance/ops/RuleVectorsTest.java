package dev.gdn.acceptance.ops;

import dev.gdn.core.batch.GatedDeltaRule;
import dev.gdn.core.batch.RuleBatch;
import dev.gdn.core.batch.RuleForm;
import dev.gdn.core.batch.RuleResult;
import dev.gdn.core.batch.RuleShape;
import dev.gdn.core.batch.StateLayout;
import dev.gdn.core.concurrent.Workers;
import dev.gdn.core.kernel.KernelProvider;
import dev.gdn.core.rule.HeadMapping;
import dev.gdn.core.rule.RuleParameters;
import dev.gdn.core.tensor.Shape;
import dev.gdn.model.safetensors.SafetensorsFile;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Outputs and final states of the gated delta rule, in both forms and all chunk sizes. */
class RuleVectorsTest {
  // Twenty times what public float32 chunk implementations miss by; also for gates of hundreds,
  // where those miss by 2e-4 because they keep the cumulative gate in float32.
  private static final double TOLERANCE = 2e-5;

  static List<String> cases() {
    return Vectors.ofOp("gated_delta_rule");
  }

  @ParameterizedTest
  @MethodSource("cases")
  void chunkFormAgrees(String name) {
    for (KernelProvider provider : Vectors.kernels()) {
      for (int chunk : new int[] {16, 32, 64}) {
        check(name, provider, RuleForm.CHUNK, chunk);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void recurrentFormAgrees(String name) {
    for (KernelProvider provider : Vectors.kernels()) {
      check(name, provider, RuleForm.RECURRENT, 64);
    }
  }

  private static void check(String name, KernelProvider provider, RuleForm form, int chunk) {
    try (SafetensorsFile file = Vectors.open(name)) {
      RuleParameters parameters =
          new RuleParameters(
              Float.parseFloat(file.metadata().get("scale")),
              Boolean.parseBoolean(file.metadata().get("qk_l2norm")),
              HeadMapping.GROUPED,
              chunk);
      GatedDeltaRule rule = new GatedDeltaRule(provider.open(Workers.shared()).rule());
      RuleResult result = rule.apply(form, parameters, batch(file));
      String what =
          "%s, %s kernels, %s form, chunk %d".formatted(name, provider.name(), form, chunk);
      Vectors.assertClose(what + ", o", file.tensor("o").toDoubles(), result.output(), TOLERANCE);
      Vectors.assertClose(
          what + ", final state",
          file.tensor("final_state").toDoubles(),
          result.finalState(),
          TOLERANCE);
    }
  }

  static RuleBatch batch(SafetensorsFile file) {
    Shape q = file.tensor("q").shape();
    Shape v = file.tensor("v").shape();
    RuleShape shape =
        new RuleShape(
            (int) q.dimension(0),
            (int) q.dimension(1),
            (int) q.dimension(2),
            (int) v.dimension(2),
            (int) q.dimension(3),
            (int) v.dimension(3));
    return new RuleBatch(
        shape,
        file.tensor("q").toFloats(),
        file.tensor("k").toFloats(),
        file.tensor("v").toFloats(),
        optional(file, "g"),
        optional(file, "gk"),
        optional(file, "gv"),
        file.tensor("beta").toFloats(),
        optional(file, "initial_state"),
        StateLayout.KEY_FIRST,
        file.tensors().containsKey("cu_seqlens") ? file.tensor("cu_seqlens").toLongs() : null);
  }

  private static float[] optional(SafetensorsFile file, String tensor) {
    return file.tensors().containsKey(tensor) ? file.tensor(tensor).toFloats() : null;
  }
}
