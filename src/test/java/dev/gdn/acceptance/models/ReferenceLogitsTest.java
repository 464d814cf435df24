package dev.gdn.acceptance.models;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.gdn.core.tensor.TokenTensor;
import dev.gdn.model.LanguageModel;
import dev.gdn.model.ModelOptions;
import dev.gdn.model.Session;
import dev.gdn.model.observer.ForwardObserver;
import dev.gdn.model.safetensors.SafetensorsFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tiny checkpoints against the logits, hidden states and greedy tokens of transformers 5.17 in
 * float32. The reference's own cached and full runs differ by up to 2e-5 here.
 */
class ReferenceLogitsTest {
  private static final double TOLERANCE = 3e-4;
  private static final List<String> CHECKPOINTS =
      List.of(
          "qwen3_5",
          "qwen3_5_gva3_tied",
          "qwen3_5_multimodal",
          "qwen3_5_moe",
          "qwen3_next",
          "olmo_hybrid",
          "kimi_linear",
          "qwen4_exp");

  static Stream<Arguments> checkpointsAndKernels() {
    return CHECKPOINTS.stream()
        .flatMap(
            checkpoint ->
                Stream.of("scalar", "vector").map(kernels -> Arguments.of(checkpoint, kernels)));
  }

  @ParameterizedTest
  @MethodSource("checkpointsAndKernels")
  void logitsAgreeInEveryMixtureOfPrefillAndDecode(String checkpoint, String kernels) {
    try (Fixture fixture = new Fixture(checkpoint, kernels)) {
      for (int length : new int[] {1, 21, 150}) {
        int[] ids = fixture.ints("ids_" + length);
        float[] expected = fixture.floats("logits_" + length);
        for (int prefilled : new int[] {0, 1, 5, 37, 64, 149, length}) {
          if (prefilled <= length) {
            assertClose(
                expected,
                fixture.logits(ids, prefilled),
                "%s %s: %d tokens, %d by prefill"
                    .formatted(checkpoint, kernels, length, prefilled));
          }
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("checkpointsAndKernels")
  void logitsAgreeWhenThePromptComesInPieces(String checkpoint, String kernels) {
    try (Fixture fixture = new Fixture(checkpoint, kernels)) {
      int[] ids = fixture.ints("ids_150");
      Logits logits = new Logits();
      Session session = fixture.model.newSession();
      int from = 0;
      for (int piece : new int[] {5, 3, 1, 7, 64, 2, 65, 3}) {
        session.prefill(Arrays.copyOfRange(ids, from, from + piece), logits);
        from += piece;
      }
      assertEquals(150, session.position());
      assertClose(fixture.floats("logits_150"), logits.all(), checkpoint + " " + kernels);
    }
  }

  @ParameterizedTest
  @MethodSource("checkpointsAndKernels")
  void hiddenStatesAgreeAfterEveryLayer(String checkpoint, String kernels) {
    try (Fixture fixture = new Fixture(checkpoint, kernels)) {
      List<float[]> seen = new ArrayList<>();
      fixture
          .model
          .newSession()
          .prefill(
              fixture.ints("ids_21"),
              new ForwardObserver() {
                @Override
                public boolean wantsLogits() {
                  return true;
                }

                @Override
                public void hidden(int layer, int position, int tokens, TokenTensor hidden) {
                  seen.add(Arrays.copyOf(hidden.data(), tokens * hidden.width()));
                }
              });
      // The reference shows the last layer's states after the final norm alone.
      int layers = fixture.model.config().layers().size();
      assertEquals(layers + 2, seen.size());
      seen.remove(layers);
      for (int layer = 0; layer <= layers; layer++) {
        assertClose(
            fixture.floats("hidden_21." + layer),
            seen.get(layer),
            "%s %s after layer %d".formatted(checkpoint, kernels, layer));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("checkpointsAndKernels")
  void greedyTokensAreTheReferences(String checkpoint, String kernels) {
    try (Fixture fixture = new Fixture(checkpoint, kernels)) {
      int[] expected = fixture.ints("greedy_tokens");
      int[] tokens = new int[expected.length];
      Session session = fixture.model.newSession();
      float[] logits = session.prefill(fixture.ints("greedy_prompt"));
      for (int i = 0; i < tokens.length; i++) {
        tokens[i] = argMax(logits);
        logits = session.decode(tokens[i]);
      }
      assertArrayEquals(expected, tokens);
    }
  }

  private static int argMax(float[] values) {
    int best = 0;
    for (int i = 1; i < values.length; i++) {
      if (values[i] > values[best]) {
        best = i;
      }
    }
    return best;
  }

  private static void assertClose(float[] expected, float[] actual, String what) {
    assertEquals(expected.length, actual.length, what);
    for (int i = 0; i < expected.length; i++) {
      assertEquals(expected[i], actual[i], TOLERANCE, what + ", element " + i);
    }
  }

  /** Collects the logits of every token, in order. */
  private static final class Logits implements ForwardObserver {
    private final List<float[]> rows = new ArrayList<>();

    @Override
    public boolean wantsLogits() {
      return true;
    }

    @Override
    public void logits(int position, float[] values, int offset, int count) {
      assertEquals(rows.size(), position);
      rows.add(Arrays.copyOfRange(values, offset, offset + count));
    }

    float[] all() {
      int count = rows.getFirst().length;
      float[] all = new float[rows.size() * count];
      for (int i = 0; i < rows.size(); i++) {
        System.arraycopy(rows.get(i), 0, all, i * count, count);
      }
      return all;
    }
  }

  private static final class Fixture implements AutoCloseable {
    final LanguageModel model;
    private final SafetensorsFile expected;

    Fixture(String checkpoint, String kernels) {
      Path folder = Path.of("resources/fixtures/models", checkpoint);
      this.model = LanguageModel.open(folder, ModelOptions.defaults().withKernels(kernels));
      this.expected = SafetensorsFile.open(folder.resolve("expected.safetensors"));
    }

    int[] ints(String tensor) {
      return Arrays.stream(expected.tensors().get(tensor).toLongs())
          .mapToInt(Math::toIntExact)
          .toArray();
    }

    float[] floats(String tensor) {
      return expected.tensors().get(tensor).toFloats();
    }

    float[] logits(int[] ids, int prefilled) {
      Logits logits = new Logits();
      Session session = model.newSession();
      if (prefilled > 0) {
        session.prefill(Arrays.copyOf(ids, prefilled), logits);
      }
      for (int t = prefilled; t < ids.length; t++) {
        session.decode(ids[t], logits);
      }
      return logits.all();
    }

    @Override
    public void close() {
      expected.close();
      model.close();
    }
  }
}
