package dev.gdn.acceptance.ops;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gdn.core.concurrent.Workers;
import dev.gdn.core.kernel.KernelChoice;
import dev.gdn.core.kernel.RotaryAngles;
import dev.gdn.core.kernel.RotaryEmbedding;
import dev.gdn.core.tensor.TokenTensor;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The partial rotary embedding with three interleaved sections, where the three positions of a
 * token differ, as transformers 5.17 computes it for Qwen3.5 in float32.
 */
class RotaryVectorsTest {
  private static final int HEADS = 2;

  @ParameterizedTest
  @ValueSource(strings = {"scalar", "vector"})
  void threeInterleavedSectionsAgreeWithTheReference(String kernels) throws IOException {
    JsonNode cases =
        new ObjectMapper().readTree(Path.of("resources/fixtures/rotary/interleaved.json").toFile());
    assertFalse(cases.isEmpty());
    for (JsonNode node : cases) {
      int[][] positions = new int[3][];
      for (int axis = 0; axis < 3; axis++) {
        positions[axis] = ints(node.get("positions").get(axis));
      }
      int tokens = positions[0].length;
      RotaryEmbedding embedding =
          RotaryEmbedding.of(
              node.get("width").asInt(), node.get("theta").asDouble(), ints(node.get("sections")));
      RotaryAngles angles = new RotaryAngles(tokens, embedding.pairs());
      embedding.fill(angles, positions, tokens);
      float[] x = floats(node.get("x"));
      KernelChoice.named(kernels)
          .open(Workers.of(1))
          .rotation()
          .rotate(angles, TokenTensor.of(x, HEADS, node.get("head_dim").asInt()), tokens);
      float[] expected = floats(node.get("y"));
      assertEquals(expected.length, x.length);
      for (int i = 0; i < x.length; i++) {
        // A position of 4,000 turns a pair by 4,000 radians, known to 2.4e-4 in float32; values
        // reach 4. What is near is turned exactly.
        assertEquals(expected[i], x[i], 1e-3, "element " + i + " of " + node.get("sections"));
      }
    }
  }

  private static int[] ints(JsonNode node) {
    int[] values = new int[node.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = node.get(i).asInt();
    }
    return values;
  }

  private static float[] floats(JsonNode node) {
    float[] values = new float[node.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) node.get(i).asDouble();
    }
    return values;
  }
}
