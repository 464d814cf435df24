package dev.gdn.acceptance.models;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gdn.model.LanguageModel;
import dev.gdn.model.ModelOptions;
import dev.gdn.model.Perplexity;
import dev.gdn.model.Session;
import dev.gdn.model.error.NonFiniteLogitsException;
import dev.gdn.model.generation.Sampler;
import dev.gdn.model.generation.SamplingOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A matrix that holds what is no finite number ends in one exception that says so, where it is
 * computed with, whatever routers and indexers make of it on the way.
 */
class DamagedWeightsTest {
  private static final Path MODELS = Path.of("resources/fixtures/models");

  private static final int EXPERTS = 8;

  /** Folders with the matrices that are damaged: an expert's, and one that every token meets. */
  private static final List<Arguments> CASES =
      List.of(
          Arguments.of("qwen3_5", "model.layers.1.mlp.down_proj.weight"),
          Arguments.of("qwen3_5_moe", "model.layers.1.mlp.experts.%d.up_proj.weight"),
          Arguments.of("qwen3_next", "model.layers.0.mlp.experts.%d.down_proj.weight"),
          Arguments.of("kimi_linear", "model.layers.1.block_sparse_moe.experts.%d.w1.weight"),
          Arguments.of("qwen4_exp", "model.layers.0.mlp.experts.%d.gate_proj.weight"),
          Arguments.of("olmo_hybrid", "model.layers.0.mlp.up_proj.weight"));

  @TempDir Path folder;

  static Stream<Arguments> damages() {
    return CASES.stream()
        .flatMap(
            c ->
                Stream.of(Float.NaN, Float.POSITIVE_INFINITY)
                    .map(bad -> Arguments.of(c.get()[0], c.get()[1], bad)));
  }

  @ParameterizedTest
  @MethodSource("damages")
  void aDamagedMatrixEndsInTheExceptionForWeights(String name, String tensor, float bad)
      throws IOException {
    int[] ids = Checkpoints.tokens(100, 5);
    for (String kernels : new String[] {"scalar", "vector"}) {
      ModelOptions options = ModelOptions.defaults().withKernels(kernels);
      try (LanguageModel model = LanguageModel.open(damaged(name, tensor, 3, bad), options)) {
        Session session = model.newSession();
        // The prompt meets every expert; then one token at a time, with what it has left behind.
        assertNoToken(session.prefill(ids));
        for (int id = 0; id < 40; id++) {
          assertNoToken(session.decode(id));
        }
        assertThrows(
            NonFiniteLogitsException.class, () -> Perplexity.measure(model, ids, (done, of) -> {}));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("mixtures")
  void anExpertThatIsNotChosenIsNotMissed(String name, String tensor) throws IOException {
    float[] whole;
    try (LanguageModel model = LanguageModel.open(MODELS.resolve(name))) {
      whole = model.newSession().prefill(7).clone();
    }
    int chosen = 0;
    int others = 0;
    for (int expert = 0; expert < EXPERTS; expert++) {
      try (LanguageModel model = LanguageModel.open(damaged(name, tensor, expert, Float.NaN))) {
        float[] logits = model.newSession().prefill(7);
        if (Float.isNaN(logits[0])) {
          assertNoToken(logits);
          chosen++;
        } else {
          assertArrayEquals(whole, logits);
          others++;
        }
      }
    }
    assertTrue(chosen > 0 && others > 0, chosen + " of " + (chosen + others));
  }

  static Stream<Arguments> mixtures() {
    return CASES.stream().filter(c -> c.get()[1].toString().contains("%d"));
  }

  private static void assertNoToken(float[] logits) {
    for (float temperature : new float[] {0, 1}) {
      Sampler sampler = new Sampler(SamplingOptions.defaults().withTemperature(temperature));
      assertThrows(NonFiniteLogitsException.class, () -> sampler.sample(logits));
    }
  }

  private Path damaged(String name, String tensor, int expert, float bad) throws IOException {
    HubCopy copy = new HubCopy(MODELS.resolve(name));
    Arrays.fill(copy.values(tensor.formatted(expert)), bad);
    return copy.write(Files.createTempDirectory(folder, "damaged"));
  }
}
