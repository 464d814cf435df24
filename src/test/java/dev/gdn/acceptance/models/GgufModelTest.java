package dev.gdn.acceptance.models;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.gdn.core.concurrent.Workers;
import dev.gdn.core.tensor.DataType;
import dev.gdn.core.tensor.WeightMatrix;
import dev.gdn.model.LanguageModel;
import dev.gdn.model.ModelOptions;
import dev.gdn.model.Perplexity;
import dev.gdn.model.Session;
import dev.gdn.model.gguf.GgufFile;
import dev.gdn.model.gguf.GgufTensor;
import dev.gdn.model.gguf.GgufWriter;
import dev.gdn.model.observer.ForwardObserver;
import dev.gdn.model.safetensors.SafetensorsFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A checkpoint as GGUF, in float32, against the reference that its hub twin was run with. */
class GgufModelTest {
  private static final Path FILE = Path.of("resources/fixtures/gguf/qwen35-F32.gguf");
  private static final Path EXPECTED =
      Path.of("resources/fixtures/models/qwen3_5/expected.safetensors");

  /** Mean negative log-likelihood of ids_150 by transformers 5.17 in float32. */
  private static final double REFERENCE = 6.0002180;

  private static final Path MIXTURE = Path.of("resources/fixtures/gguf/qwen35moe-F32.gguf");
  private static final Path MIXTURE_EXPECTED =
      Path.of("resources/fixtures/models/qwen3_5_moe/expected.safetensors");
  private static final double MIXTURE_REFERENCE = 6.1503186;

  @TempDir Path folder;

  private static int[] ids(Path expected) {
    try (SafetensorsFile file = SafetensorsFile.open(expected)) {
      return Arrays.stream(file.tensor("ids_150").toLongs()).mapToInt(Math::toIntExact).toArray();
    }
  }

  private static double likelihood(Path path, Path expected, String kernels) {
    ModelOptions options = ModelOptions.defaults().withKernels(kernels);
    try (LanguageModel model = LanguageModel.open(path, options)) {
      return Perplexity.measure(model, ids(expected), (done, total) -> {})
          .meanNegativeLogLikelihood();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"scalar", "vector"})
  void likelihoodIsTheReferences(String kernels) {
    assertEquals(REFERENCE, likelihood(FILE, EXPECTED, kernels), 1e-4);
  }

  @ParameterizedTest
  @ValueSource(strings = {"scalar", "vector"})
  void likelihoodOfAMixtureOfExpertsIsTheReferences(String kernels) {
    assertEquals(MIXTURE_REFERENCE, likelihood(MIXTURE, MIXTURE_EXPECTED, kernels), 1e-4);
  }

  @ParameterizedTest
  @CsvSource({"scalar, 0", "scalar, 37", "scalar, 150", "vector, 0", "vector, 37", "vector, 150"})
  void logitsAreThoseOfTheHubTwin(String kernels, int prefilled) {
    int[] ids = ids(EXPECTED);
    float[] expected;
    try (SafetensorsFile file = SafetensorsFile.open(EXPECTED)) {
      expected = file.tensor("logits_150").toFloats();
    }
    Comparison comparison = new Comparison(expected);
    ModelOptions options = ModelOptions.defaults().withKernels(kernels);
    try (LanguageModel model = LanguageModel.open(FILE, options)) {
      Session session = model.newSession();
      if (prefilled > 0) {
        session.prefill(Arrays.copyOf(ids, prefilled), comparison);
      }
      for (int t = prefilled; t < ids.length; t++) {
        session.decode(ids[t], comparison);
      }
    }
    assertEquals(ids.length, comparison.seen);
  }

  /** Compares the logits of every token as they come. */
  private static final class Comparison implements ForwardObserver {
    private final float[] expected;
    private int seen;

    Comparison(float[] expected) {
      this.expected = expected;
    }

    @Override
    public boolean wantsLogits() {
      return true;
    }

    @Override
    public void logits(int position, float[] values, int offset, int count) {
      seen++;
      for (int i = 0; i < count; i++) {
        assertEquals(
            expected[position * count + i],
            values[offset + i],
            3e-4,
            "position " + position + ", token " + i);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "F16, 1e-4",
    "BF16, 1e-4",
    "Q8_0, 1e-2",
    "Q5_1, 0.1",
    "Q5_0, 0.1",
    "Q4_1, 0.15",
    "Q4_0, 0.15"
  })
  void matricesOfOtherTypesChangeLittle(DataType type, double tolerance) throws IOException {
    Path stored = folder.resolve(type + ".gguf");
    try (GgufFile file = GgufFile.open(FILE)) {
      GgufWriter writer = new GgufWriter();
      file.metadata().values().forEach(writer::put);
      file.tensors().values().forEach(tensor -> add(writer, tensor, type));
      writer.write(stored, (bytes, total) -> {});
    }
    for (String kernels : new String[] {"scalar", "vector"}) {
      assertEquals(REFERENCE, likelihood(stored, EXPECTED, kernels), tolerance, kernels);
    }
  }

  private static void add(GgufWriter writer, GgufTensor tensor, DataType type) {
    if (tensor.shape().rank() == 1 || tensor.name().contains("conv1d")) {
      writer.tensor(tensor.name(), tensor.type(), tensor.shape(), tensor.data());
    } else {
      WeightMatrix matrix = tensor.toStored().toMatrix();
      writer.tensor(
          tensor.name(),
          type,
          tensor.shape(),
          (row, target) -> matrix.decodeRow(Math.toIntExact(row), target, 0),
          Workers.shared());
    }
  }

  @Test
  void theFileIsReadAsItsHubTwin() {
    assertReadAsTwin(FILE, EXPECTED);
    assertReadAsTwin(MIXTURE, MIXTURE_EXPECTED);
  }

  private static void assertReadAsTwin(Path path, Path expected) {
    try (LanguageModel file = LanguageModel.open(path);
        LanguageModel twin = LanguageModel.open(expected.getParent())) {
      assertEquals(withoutRounding(twin), withoutRounding(file));
      assertEquals(twin.generationConfig().endTokens(), file.generationConfig().endTokens());
    }
  }

  // GGUF holds the epsilon as float32.
  private static String withoutRounding(LanguageModel model) {
    return model.config().toString().replaceAll("normEpsilon=[^,]*", "")
        + (float) model.config().normEpsilon();
  }
}
