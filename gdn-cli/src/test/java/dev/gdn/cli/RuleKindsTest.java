package dev.gdn.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.gdn.core.tensor.Shape;
import dev.gdn.model.safetensors.SafetensorsFile;
import dev.gdn.model.safetensors.SafetensorsWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The kinds of gates, updates and layouts, on a token whose results are known. */
class RuleKindsTest {
  private static final float HALF = (float) Math.log(0.5);
  private static final Shape KEYS = new Shape(1, 1, 1, 1);
  private static final Shape VALUES = new Shape(1, 1, 1, 2);
  private static final Shape KEY_FIRST = new Shape(1, 1, 1, 2);
  private static final Shape VALUE_FIRST = new Shape(1, 1, 2, 1);

  @TempDir Path folder;
  private Path file;
  private Path out;

  @BeforeEach
  void names() {
    file = folder.resolve("case.safetensors");
    out = folder.resolve("out.safetensors");
  }

  // A state of 8 and 16 decays by gates of 1/2 each; the key is 1, the query 3, the values 5 and 7.
  private static SafetensorsWriter oneToken(String operation, Shape state) {
    return new SafetensorsWriter()
        .metadata("op", operation)
        .metadata("scale", "1")
        .metadata("qk_l2norm", "false")
        .add("q", KEYS, new float[] {3})
        .add("k", KEYS, new float[] {1})
        .add("v", VALUES, new float[] {5, 7})
        .add("gk", KEYS, new float[] {HALF})
        .add("gv", VALUES, new float[] {0, HALF})
        .add("initial_state", state, new float[] {8, 16});
  }

  private void check(Shape state, float[] expected, Object... more) {
    Object[] arguments = new Object[5 + more.length];
    Object[] first = {"rule", "--in", file, "--out", out};
    System.arraycopy(first, 0, arguments, 0, 5);
    System.arraycopy(more, 0, arguments, 5, more.length);
    for (String form : new String[] {"chunk", "recurrent"}) {
      Called.with(append(arguments, "--form", form)).assertDone();
      try (SafetensorsFile results = SafetensorsFile.open(out)) {
        assertArrayEquals(expected, results.tensor("final_state").toFloats(), 1e-5f);
        assertEquals(state, results.tensor("final_state").shape());
        float[] o = {3 * expected[0], 3 * expected[1]};
        assertArrayEquals(o, results.tensor("o").toFloats(), 1e-5f);
      }
    }
  }

  private static Object[] append(Object[] arguments, Object... more) {
    Object[] all = Arrays.copyOf(arguments, arguments.length + more.length);
    System.arraycopy(more, 0, all, arguments.length, more.length);
    return all;
  }

  @Test
  void gatesAndBetasOfChannels() throws IOException {
    oneToken("gated_delta_rule", KEY_FIRST).add("beta", VALUES, new float[] {1, 0.5f}).write(file);
    // 4 + (5 − 4) and 4 + (7 − 4) / 2.
    check(KEY_FIRST, new float[] {5, 5.5f});
  }

  @Test
  void additiveUpdateWithAndWithoutBeta() throws IOException {
    oneToken("gated_delta_rule", KEY_FIRST).write(file);
    check(KEY_FIRST, new float[] {9, 11}, "--update", "additive");
    Called.with("rule", "--in", file, "--out", out).assertRefused(file, "tensor beta");
    oneToken("gated_delta_rule", KEY_FIRST)
        .add("beta", new Shape(1, 1, 1), new float[] {2})
        .write(file);
    check(KEY_FIRST, new float[] {14, 18}, "--update", "additive");
  }

  @Test
  void statesWithTheValueFirst() throws IOException {
    oneToken("gated_delta_rule", VALUE_FIRST)
        .add("beta", new Shape(1, 1, 1), new float[] {1})
        .write(file);
    check(VALUE_FIRST, new float[] {5, 7}, "--value-first");
    Called.with("rule", "--in", file, "--out", out)
        .assertRefused(file, "initial_state", "[1, 1, 1, 2]", "[1, 1, 2, 1]");
  }

  @Test
  void derivatives() throws IOException {
    SafetensorsWriter writer = oneToken("gated_delta_rule_backward", KEY_FIRST);
    writer.add("beta", VALUES, new float[] {1, 0.5f});
    writer.write(file);
    Called.with("rule", "--in", file, "--out", out).assertRefused(file, "tensor do");
    writer.add("do", VALUES, new float[] {1, 1}).write(file);
    Called.with("rule", "--in", file, "--out", out).assertDone();
    try (SafetensorsFile results = SafetensorsFile.open(out)) {
      // o_c = q (4 + k β_c (v_c − 4 k)) at q 3, k 1, with 4 the decayed state.
      assertArrayEquals(new float[] {10.5f}, results.tensor("dq").toFloats(), 1e-5f);
      assertArrayEquals(new float[] {3, 1.5f}, results.tensor("dv").toFloats(), 1e-5f);
      assertArrayEquals(new float[] {3, 9}, results.tensor("dbeta").toFloats(), 1e-5f);
      assertArrayEquals(
          new float[] {0, 0.375f}, results.tensor("dinitial_state").toFloats(), 1e-5f);
      assertArrayEquals(new float[] {6}, results.tensor("dgk").toFloats(), 1e-5f);
      assertArrayEquals(new float[] {0, 6}, results.tensor("dgv").toFloats(), 1e-5f);
      // 3 · (1 · (5 − 8) + 0.5 · (7 − 8)).
      assertArrayEquals(new float[] {-10.5f}, results.tensor("dk").toFloats(), 1e-5f);
    }
  }

  @Test
  void gatesOfTheWrongShapeAreRefused() throws IOException {
    new SafetensorsWriter()
        .metadata("op", "gated_delta_rule")
        .add("q", KEYS, new float[] {3})
        .add("k", KEYS, new float[] {1})
        .add("v", VALUES, new float[] {5, 7})
        .add("beta", new Shape(1, 1, 1), new float[] {1})
        .add("gk", VALUES, new float[] {0, 0})
        .write(file);
    Called.with("rule", "--in", file, "--out", out)
        .assertRefused(file, "tensor gk", "[1, 1, 1, 1]", "[1, 1, 1, 2]");
  }
}
