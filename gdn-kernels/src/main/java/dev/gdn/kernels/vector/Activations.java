package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.Lanes.COUNT;
import static dev.gdn.kernels.vector.Lanes.F;

import dev.gdn.core.kernel.Activation;
import jdk.incubator.vector.FloatVector;

/** Activations of a row of numbers; the result may replace an operand. */
final class Activations {
  private Activations() {}

  /** y = f(x) for {@code n} values. */
  static void apply(Activation f, float[] x, int xAt, float[] y, int yAt, int n) {
    switch (f) {
      case IDENTITY -> System.arraycopy(x, xAt, y, yAt, n);
      case SIGMOID -> sigmoid(x, xAt, y, yAt, n);
      case SILU -> silu(x, xAt, y, yAt, n);
    }
  }

  /** y = f(gate) · x for {@code n} values. */
  static void gate(
      Activation f, float[] gate, int gateAt, float[] x, int xAt, float[] y, int yAt, int n) {
    switch (f) {
      case IDENTITY -> multiply(gate, gateAt, x, xAt, y, yAt, n);
      case SIGMOID -> sigmoidGate(gate, gateAt, x, xAt, y, yAt, n);
      case SILU -> siluGate(gate, gateAt, x, xAt, y, yAt, n);
    }
  }

  private static void sigmoid(float[] x, int xAt, float[] y, int yAt, int n) {
    int i = 0;
    for (; i <= n - COUNT; i += COUNT) {
      VectorMath.sigmoid(FloatVector.fromArray(F, x, xAt + i)).intoArray(y, yAt + i);
    }
    for (; i < n; i++) {
      y[yAt + i] = ScalarMath.sigmoid(x[xAt + i]);
    }
  }

  private static void silu(float[] x, int xAt, float[] y, int yAt, int n) {
    int i = 0;
    for (; i <= n - COUNT; i += COUNT) {
      VectorMath.silu(FloatVector.fromArray(F, x, xAt + i)).intoArray(y, yAt + i);
    }
    for (; i < n; i++) {
      y[yAt + i] = ScalarMath.silu(x[xAt + i]);
    }
  }

  private static void multiply(
      float[] gate, int gateAt, float[] x, int xAt, float[] y, int yAt, int n) {
    int i = 0;
    for (; i <= n - COUNT; i += COUNT) {
      FloatVector factor = FloatVector.fromArray(F, gate, gateAt + i);
      FloatVector.fromArray(F, x, xAt + i).mul(factor).intoArray(y, yAt + i);
    }
    for (; i < n; i++) {
      y[yAt + i] = gate[gateAt + i] * x[xAt + i];
    }
  }

  private static void sigmoidGate(
      float[] gate, int gateAt, float[] x, int xAt, float[] y, int yAt, int n) {
    int i = 0;
    for (; i <= n - COUNT; i += COUNT) {
      FloatVector factor = VectorMath.sigmoid(FloatVector.fromArray(F, gate, gateAt + i));
      FloatVector.fromArray(F, x, xAt + i).mul(factor).intoArray(y, yAt + i);
    }
    for (; i < n; i++) {
      y[yAt + i] = ScalarMath.sigmoid(gate[gateAt + i]) * x[xAt + i];
    }
  }

  private static void siluGate(
      float[] gate, int gateAt, float[] x, int xAt, float[] y, int yAt, int n) {
    int i = 0;
    for (; i <= n - COUNT; i += COUNT) {
      FloatVector factor = VectorMath.silu(FloatVector.fromArray(F, gate, gateAt + i));
      FloatVector.fromArray(F, x, xAt + i).mul(factor).intoArray(y, yAt + i);
    }
    for (; i < n; i++) {
      y[yAt + i] = ScalarMath.silu(gate[gateAt + i]) * x[xAt + i];
    }
  }
}
