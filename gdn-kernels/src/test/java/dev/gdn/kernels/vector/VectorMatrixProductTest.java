package dev.gdn.kernels.vector;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.gdn.core.concurrent.Workers;
import dev.gdn.core.kernel.Projection;
import dev.gdn.core.tensor.DataType;
import dev.gdn.core.tensor.TokenTensor;
import dev.gdn.core.tensor.WeightMatrix;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class VectorMatrixProductTest {
  private static final float UNTOUCHED = Float.NaN;

  @ParameterizedTest
  @EnumSource(names = {"F32", "F16", "BF16", "Q8_0", "Q4_0", "Q4_K", "Q5_K", "Q6_K"})
  void agreesWithPlainSumsAtEverySizeOfToken(DataType type) {
    for (int tokens : new int[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 31, 32, 33, 48, 63, 75}) {
      check(type, 37, type.blockElements() == 1 ? 80 : 3 * type.blockElements(), tokens);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"F32", "F16", "BF16", "Q8_0", "Q4_0", "Q4_K", "Q5_K", "Q6_K"})
  void agreesWithPlainSumsAtEverySizeOfMatrix(DataType type) {
    int[] columns =
        type.blockElements() == 1
            ? new int[] {1, 7, 16, 80, 127, 257, 1000}
            : new int[] {32, 64, 224, 1056};
    for (int size : columns) {
      int count = Math.ceilDiv(size, type.blockElements()) * type.blockElements();
      for (int rows : new int[] {1, 2, 5, 24, 25, 131}) {
        check(type, rows, count, 1);
        check(type, rows, count, 3);
        check(type, rows, count, 19);
      }
    }
  }

  @Test
  void multipliesMoreTokensThanOneBlockHolds() {
    check(DataType.BF16, 7, 8, 1100);
    check(DataType.Q4_0, 7, 32, 1100);
  }

  @ParameterizedTest
  @EnumSource
  void givesTheSameBitsForAnyNumberOfWorkers(DataType type) {
    for (int tokens : new int[] {1, 4, 40}) {
      float[] alone = product(type, 200, 256, tokens, 1);
      assertArrayEquals(alone, product(type, 200, 256, tokens, 2));
      assertArrayEquals(alone, product(type, 200, 256, tokens, 5));
    }
  }

  @Test
  void survivesTokensTooSmallToBeQuantized() {
    WeightMatrix weight = RandomWeights.matrix(DataType.Q4_0, 4, 32, 1);
    float[] row = new float[32];
    for (int tokens : new int[] {1, 9}) {
      float[] x = new float[tokens * 32];
      Arrays.fill(x, 1e-37f);
      float[] y = new float[tokens * 4];
      new VectorMatrixProduct(Workers.of(1))
          .multiply(TokenTensor.of(x, 32), tokens, new Projection(weight, TokenTensor.of(y, 4)));
      for (int i = 0; i < y.length; i++) {
        weight.decodeRow(i % 4, row, 0);
        float magnitude = 0;
        for (float w : row) {
          magnitude += Math.abs(w);
        }
        assertEquals(0, y[i], 2e-37f * magnitude, "product " + i);
      }
    }
  }

  @Test
  void checksEveryProjectionBeforeItWrites() {
    WeightMatrix weight = RandomWeights.matrix(DataType.F32, 4, 8, 1);
    TokenTensor good = TokenTensor.zeros(2, 4);
    TokenTensor bad = TokenTensor.zeros(1, 4);
    Arrays.fill(good.data(), UNTOUCHED);
    VectorMatrixProduct product = new VectorMatrixProduct(Workers.of(1));

    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                product.multiply(
                    TokenTensor.zeros(2, 8),
                    2,
                    new Projection(weight, good),
                    new Projection(weight, bad)));

    assertEquals(
        "output of F32 weights: 2 tokens end at element 8 of an array of 4", e.getMessage());
    assertEquals(UNTOUCHED, good.data()[0]);
  }

  private static float[] product(DataType type, int rows, int columns, int tokens, int threads) {
    float[] x = gaussian(tokens * columns, 3);
    float[] y = new float[tokens * rows];
    try (Workers workers = Workers.of(threads)) {
      new VectorMatrixProduct(workers)
          .multiply(
              TokenTensor.of(x, columns),
              tokens,
              new Projection(
                  RandomWeights.matrix(type, rows, columns, 2), TokenTensor.of(y, rows)));
    }
    return y;
  }

  // Two matrices, views with gaps, and what lies between the outputs must stay as it was.
  private static void check(DataType type, int rows, int columns, int tokens) {
    WeightMatrix first = RandomWeights.matrix(type, rows, columns, 11);
    WeightMatrix second = RandomWeights.matrix(type, 3, columns, 12);
    TokenTensor x =
        new TokenTensor(gaussian(tokens * (columns + 5) + 3, 13), 3, columns + 5, 1, 0, columns);
    TokenTensor y = output(rows, tokens);
    TokenTensor z = output(3, tokens);
    try (Workers workers = Workers.of(2)) {
      new VectorMatrixProduct(workers)
          .multiply(x, tokens, new Projection(first, y), new Projection(second, z));
    }
    assertProduct(first, x, y, tokens);
    assertProduct(second, x, z, tokens);
  }

  private static TokenTensor output(int rows, int tokens) {
    float[] data = new float[tokens * (rows + 2) + 1];
    Arrays.fill(data, UNTOUCHED);
    return new TokenTensor(data, 1, rows + 2, 1, 0, rows);
  }

  private static void assertProduct(WeightMatrix w, TokenTensor x, TokenTensor y, int tokens) {
    float[] row = new float[w.columns()];
    boolean[] written = new boolean[y.data().length];
    for (int r = 0; r < w.rows(); r++) {
      w.decodeRow(r, row, 0);
      for (int t = 0; t < tokens; t++) {
        double expected = 0;
        double tolerance = 0;
        for (int c = 0; c < w.columns(); c++) {
          float input = x.data()[x.at(t) + c];
          expected += (double) row[c] * input;
          tolerance += Math.abs(row[c]) * inputError(w.type(), x, t, c);
        }
        int at = y.at(t) + r;
        written[at] = true;
        assertEquals(expected, y.data()[at], tolerance, w + " at " + r);
      }
    }
    for (int i = 0; i < written.length; i++) {
      if (!written[i]) {
        assertEquals(UNTOUCHED, y.data()[i], "element between two outputs");
      }
    }
  }

  // A float32 sum of a thousand terms in partial sums errs by some 2^-24 of their magnitude each.
  // Beside 4-bit weights an input is rounded to steps of a 127th of the largest of its 32.
  private static double inputError(DataType type, TokenTensor x, int token, int column) {
    float error = 1e-6f * Math.abs(x.data()[x.at(token) + column]);
    if (type == DataType.Q4_0) {
      float largest = 0;
      for (int c = column / 32 * 32; c < column / 32 * 32 + 32; c++) {
        largest = Math.max(largest, Math.abs(x.data()[x.at(token) + c]));
      }
      error += largest / 127 * 0.501f;
    }
    return error;
  }

  private static float[] gaussian(int count, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] = (float) random.nextGaussian();
    }
    return values;
  }
}
