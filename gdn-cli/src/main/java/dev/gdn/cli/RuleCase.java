package dev.gdn.cli;

import dev.gdn.core.batch.RuleBatch;
import dev.gdn.core.batch.RuleShape;
import dev.gdn.core.rule.HeadMapping;
import dev.gdn.core.rule.RuleParameters;
import dev.gdn.core.rule.StateUpdate;
import dev.gdn.core.tensor.Shape;
import dev.gdn.model.error.CheckpointException;
import dev.gdn.model.safetensors.SafetensorsFile;
import dev.gdn.model.safetensors.SafetensorsTensor;
import java.util.Arrays;
import java.util.Optional;

/**
 * One case of the gated delta rule as a file holds it.
 *
 * @param parameters from the metadata
 * @param batch from the tensors
 * @param backward what the backward pass starts from; empty for a forward case
 */
record RuleCase(RuleParameters parameters, RuleBatch batch, Optional<Backward> backward) {
  private static final String OPERATION = "gated_delta_rule";
  private static final String BACKWARD = "gated_delta_rule_backward";
  private static final String DECIMAL = "0123456789+-.eE";

  /**
   * Derivatives of a loss by the results.
   *
   * @param dOutput {@code [B, T, HV, V]}
   * @param dFinalState in the batch's layout; null for zeros
   */
  record Backward(float[] dOutput, float[] dFinalState) {}

  /** Why a valid file is no case of the rule as this library computes it; empty if it is one. */
  static Optional<String> reasonToPassOver(SafetensorsFile file) {
    String operation = file.metadata().get("op");
    if (!OPERATION.equals(operation) && !BACKWARD.equals(operation)) {
      return Optional.of(
          "metadata op: expected %s or %s, found %s"
              .formatted(OPERATION, BACKWARD, operation == null ? "no such key" : operation));
    }
    return Optional.empty();
  }

  /**
   * Reads a case.
   *
   * @throws CheckpointException naming the tensor or key that is missing or does not fit
   */
  static RuleCase read(SafetensorsFile file, RuleOptions options) {
    Shape q = rank(file, "q", 4);
    Shape v = rank(file, "v", 4);
    long[] qs = q.dimensions();
    long[] vs = v.dimensions();
    float[] initialState = null;
    long[] cuSeqlens = null;
    if (file.tensors().containsKey("cu_seqlens")) {
      rank(file, "cu_seqlens", 1);
      cuSeqlens = file.tensor("cu_seqlens").toLongs();
    }
    long sequences = cuSeqlens == null ? qs[0] : Math.max(0, cuSeqlens.length - 1);
    long[] states = options.stateShape(sequences, vs[2], qs[3], vs[3]);
    if (file.tensors().containsKey("initial_state")) {
      initialState = finite(file, "initial_state", states);
    }
    try {
      RuleShape shape =
          new RuleShape(
              Math.toIntExact(qs[0]),
              Math.toIntExact(qs[1]),
              Math.toIntExact(qs[2]),
              Math.toIntExact(vs[2]),
              Math.toIntExact(qs[3]),
              Math.toIntExact(vs[3]));
      RuleBatch batch =
          new RuleBatch(
              shape,
              finite(file, "q", qs),
              finite(file, "k", qs),
              finite(file, "v", qs[0], qs[1], vs[2], vs[3]),
              optional(file, "g", qs[0], qs[1], vs[2]),
              optional(file, "gk", qs[0], qs[1], vs[2], qs[3]),
              optional(file, "gv", qs[0], qs[1], vs[2], vs[3]),
              beta(file, options, qs[0], qs[1], vs[2], vs[3]),
              initialState,
              options.stateLayout(),
              cuSeqlens);
      return new RuleCase(
          parameters(file, shape.keyWidth(), options), batch, backward(file, vs, states));
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw new CheckpointException(file.path(), "case", e.getMessage(), e);
    }
  }

  private static Optional<Backward> backward(SafetensorsFile file, long[] output, long[] states) {
    if (!BACKWARD.equals(file.metadata().get("op"))) {
      return Optional.empty();
    }
    boolean ofState = file.tensors().containsKey("dfinal_state");
    return Optional.of(
        new Backward(
            finite(file, "do", output), ofState ? finite(file, "dfinal_state", states) : null));
  }

  private static RuleParameters parameters(
      SafetensorsFile file, int keyWidth, RuleOptions options) {
    RuleParameters standard = RuleParameters.standard(keyWidth, HeadMapping.GROUPED);
    String scale = file.metadata().get("scale");
    String normalise = file.metadata().get("qk_l2norm");
    return new RuleParameters(
        scale == null ? standard.scale() : number(file, "scale", scale),
        normalise == null ? standard.normalise() : flag(file, "qk_l2norm", normalise),
        HeadMapping.GROUPED,
        options.chunk(),
        options.update());
  }

  // Linear attention can do without betas; the delta rule without them is more likely a mistake.
  private static float[] beta(SafetensorsFile file, RuleOptions options, long... perValue) {
    SafetensorsTensor beta = file.tensors().get("beta");
    if (beta == null && options.update() == StateUpdate.ADDITIVE) {
      return null;
    }
    return beta != null && beta.shape().rank() == 4
        ? floats(file, "beta", perValue)
        : floats(file, "beta", Arrays.copyOf(perValue, 3));
  }

  private static float[] optional(SafetensorsFile file, String name, long... expected) {
    return file.tensors().containsKey(name) ? floats(file, name, expected) : null;
  }

  // Java's own notation, such as 1f or 0x1p3, is none of the format.
  private static float number(SafetensorsFile file, String key, String value) {
    if (value.chars().allMatch(c -> DECIMAL.indexOf(c) >= 0)) {
      try {
        return Float.parseFloat(value);
      } catch (NumberFormatException e) {
        throw noNumber(file, key, value, e);
      }
    }
    throw noNumber(file, key, value, null);
  }

  private static CheckpointException noNumber(
      SafetensorsFile file, String key, String value, NumberFormatException cause) {
    return new CheckpointException(
        file.path(), "metadata " + key, "expected a decimal number, found " + value, cause);
  }

  private static boolean flag(SafetensorsFile file, String key, String value) {
    return switch (value) {
      case "true" -> true;
      case "false" -> false;
      default ->
          throw new CheckpointException(
              file.path(), "metadata " + key, "expected true or false, found " + value);
    };
  }

  private static Shape rank(SafetensorsFile file, String name, int rank) {
    Shape shape = file.tensor(name).shape();
    if (shape.rank() != rank) {
      throw new CheckpointException(
          file.path(), "tensor " + name, "expected %d dimensions, found %s".formatted(rank, shape));
    }
    return shape;
  }

  private static float[] finite(SafetensorsFile file, String name, long... expected) {
    float[] values = floats(file, name, expected);
    for (int i = 0; i < values.length; i++) {
      if (!Float.isFinite(values[i])) {
        throw new CheckpointException(
            file.path(),
            "tensor " + name,
            "expected finite values, found %s at element %d".formatted(values[i], i));
      }
    }
    return values;
  }

  private static float[] floats(SafetensorsFile file, String name, long... expected) {
    SafetensorsTensor tensor = file.tensor(name);
    Shape shape = new Shape(expected);
    if (!tensor.shape().equals(shape)) {
      throw new CheckpointException(
          file.path(),
          "tensor " + name,
          "expected shape %s, found %s".formatted(shape, tensor.shape()));
    }
    return tensor.toFloats();
  }
}
