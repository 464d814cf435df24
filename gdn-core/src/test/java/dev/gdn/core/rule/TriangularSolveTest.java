package dev.gdn.core.rule;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TriangularSolveTest {
  @ParameterizedTest
  @ValueSource(ints = {16, 32, 64})
  void inverseTimesMatrixIsTheUnitMatrix(int chunk) {
    Random random = new Random(chunk);
    float[] a = new float[chunk * chunk];
    for (int r = 0; r < chunk; r++) {
      for (int j = 0; j < chunk; j++) {
        // Only what is below the diagonal may be read.
        a[r * chunk + j] = j < r ? 0.3f * (float) random.nextGaussian() : Float.NaN;
      }
    }
    float[] t = new float[chunk * chunk];
    float[] scratch = new float[TriangularSolve.scratch(chunk)];
    Arrays.fill(t, Float.NaN);
    Arrays.fill(scratch, Float.NaN);
    TriangularSolve.invert(a, t, chunk, scratch);
    for (int r = 0; r < chunk; r++) {
      for (int c = 0; c < chunk; c++) {
        double sum = t[r * chunk + c];
        double size = Math.abs(sum);
        for (int j = c + 1; j < chunk; j++) {
          sum += (double) t[r * chunk + j] * a[j * chunk + c];
          size += Math.abs((double) t[r * chunk + j] * a[j * chunk + c]);
        }
        // Rounding errors of a row of T pass through sums of up to `chunk` terms.
        assertEquals(r == c ? 1 : 0, sum, 4 * chunk * 0x1p-24 * Math.max(1, size));
      }
    }
  }
}
