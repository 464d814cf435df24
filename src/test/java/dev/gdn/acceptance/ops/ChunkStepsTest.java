package dev.gdn.acceptance.ops;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.gdn.core.rule.ChunkOutput;
import dev.gdn.core.rule.CumulativeGate;
import dev.gdn.core.rule.KeyKeyProduct;
import dev.gdn.core.rule.StatePassing;
import dev.gdn.core.rule.TriangularSolve;
import dev.gdn.core.rule.WyRepresentation;
import dev.gdn.model.safetensors.SafetensorsFile;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every step of the chunk form by its name, fed with what the steps before it gave. */
class ChunkStepsTest {
  private static final double TOLERANCE = 2e-5;

  static List<String> chunkCases() {
    return Vectors.ofOp("chunk_intermediates");
  }

  static List<String> triangularCases() {
    return Vectors.ofOp("solve_tril");
  }

  @ParameterizedTest
  @MethodSource("chunkCases")
  void stepsAgreeOneByOne(String name) {
    try (SafetensorsFile file = Vectors.open(name)) {
      int tokens = (int) file.tensor("k").shape().dimension(0);
      int chunk = Integer.parseInt(file.metadata().get("chunk"));
      float[] state = file.tensor("initial_state").toFloats();
      for (int first = 0; first < tokens; first += chunk) {
        checkChunk(file, name, first, Math.min(chunk, tokens - first), chunk, state);
      }
      Vectors.assertClose(
          name + ", final_state", file.tensor("final_state").toDoubles(), state, TOLERANCE);
    }
  }

  private static void checkChunk(
      SafetensorsFile file, String name, int first, int n, int chunk, float[] state) {
    int keys = (int) file.tensor("k").shape().dimension(1);
    int values = (int) file.tensor("v").shape().dimension(1);
    float scale = Float.parseFloat(file.metadata().get("scale"));
    float[] q = rows(file, "q", first, n, keys);
    float[] k = rows(file, "k", first, n, keys);
    float[] v = rows(file, "v", first, n, values);
    float[] g = rows(file, "g", first, n, 1);
    float[] beta = rows(file, "beta", first, n, 1);
    String what = "%s, chunk at %d, ".formatted(name, first);

    double[] sums = new double[n];
    CumulativeGate.sum(g, 0, 1, sums, n);
    double[] expectedSums = expected(file, "g_cumsum", first, n);
    for (int r = 0; r < n; r++) {
      // The gates of the file are rounded to float32 on reading.
      assertEquals(expectedSums[r], sums[r], 1e-7 * n * Math.max(1, -expectedSums[r]), what);
    }
    float[] decays = blank(chunk * chunk);
    float[] entryDecays = blank(n);
    CumulativeGate.between(sums, decays, n, chunk);
    CumulativeGate.fromEntry(sums, entryDecays, n);

    float[] keyKey = blank(chunk * chunk);
    float[] a = blank(chunk * chunk);
    KeyKeyProduct.products(k, keyKey, n, chunk, keys);
    KeyKeyProduct.gate(keyKey, decays, beta, a, n, chunk);
    double[] kkt = expected(file, "kkt", first / chunk * chunk * chunk, chunk * chunk);
    Vectors.assertClose(what + "kkt", kkt, a, TOLERANCE);

    float[] t = blank(chunk * chunk);
    TriangularSolve.invert(a, t, chunk, blank(TriangularSolve.scratch(chunk)));
    double[] inverse = expected(file, "tri_inverse", first / chunk * chunk * chunk, chunk * chunk);
    // The file has zeros where the inverse goes on as the unit matrix, past the last token.
    float[] cut = Arrays.copyOf(t, chunk * chunk);
    Arrays.fill(cut, n * chunk, chunk * chunk, 0);
    Vectors.assertClose(what + "tri_inverse", inverse, cut, TOLERANCE);

    float[] w = blank(n * keys);
    WyRepresentation.w(t, beta, entryDecays, k, w, n, chunk, keys);
    check(file, what, "w", w, first * keys);
    float[] u = blank(n * values);
    WyRepresentation.u(t, beta, v, u, n, chunk, values);
    check(file, what, "u", u, first * values);

    check(file, what, "chunk_states", state, first / chunk * keys * values);
    StatePassing.residual(u, w, state, 0, n, keys, values);
    check(file, what, "v_new", u, first * values);

    float[] queryKey = blank(chunk * chunk);
    float[] o = blank(n * values);
    ChunkOutput.products(q, k, queryKey, n, chunk, keys);
    ChunkOutput.output(
        scale, q, queryKey, u, decays, entryDecays, state, 0, o, 0, values, n, chunk, keys, values);
    check(file, what, "o", o, first * values);
    StatePassing.advance(k, u, decays, entryDecays, state, 0, n, chunk, keys, values);
  }

  @ParameterizedTest
  @MethodSource("triangularCases")
  void inversesAgree(String name) {
    try (SafetensorsFile file = Vectors.open(name)) {
      int chunk = (int) file.tensor("inverse").shape().dimension(1);
      int matrices = (int) file.tensor("inverse").shape().dimension(0);
      for (int m = 0; m < matrices; m++) {
        float[] a = rows(file, "strict_lower", m * chunk, chunk, chunk);
        float[] t = blank(chunk * chunk);
        TriangularSolve.invert(a, t, chunk, blank(TriangularSolve.scratch(chunk)));
        check(file, name + ", matrix " + m + ", ", "inverse", t, m * chunk * chunk);
      }
    }
  }

  private static void check(
      SafetensorsFile file, String what, String tensor, float[] actual, int from) {
    double[] expected = expected(file, tensor, from, actual.length);
    Vectors.assertClose(what + tensor, expected, actual, TOLERANCE);
  }

  private static double[] expected(SafetensorsFile file, String tensor, int from, int count) {
    return Arrays.copyOfRange(file.tensor(tensor).toDoubles(), from, from + count);
  }

  private static float[] rows(SafetensorsFile file, String tensor, int first, int n, int width) {
    float[] values = file.tensor(tensor).toFloats();
    return Arrays.copyOfRange(values, first * width, (first + n) * width);
  }

  private static float[] blank(int n) {
    float[] values = new float[n];
    Arrays.fill(values, Float.NaN);
    return values;
  }
}
