package dev.gdn.acceptance.models;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gdn.core.concurrent.Workers;
import dev.gdn.model.LanguageModel;
import dev.gdn.model.ModelOptions;
import dev.gdn.model.Perplexity;
import dev.gdn.model.Session;
import dev.gdn.model.checkpoint.Quantization;
import dev.gdn.model.convert.HubToGguf;
import dev.gdn.model.error.CheckpointException;
import dev.gdn.model.error.NonFiniteLogitsException;
import dev.gdn.model.generation.Sampler;
import dev.gdn.model.generation.SamplingOptions;
import dev.gdn.model.gguf.FileType;
import dev.gdn.model.safetensors.SafetensorsType;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

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

  /** Rounding would make a number of it, and nobody would see that the file is damaged. */
  @ParameterizedTest
  @MethodSource("damages")
  void aDamagedMatrixIsNotQuantised(String name, String tensor, float bad) throws IOException {
    Path model = damagedAt(name, tensor, 70, bad);
    Path file = model.resolve("model.safetensors");
    for (Quantization quantization : Quantization.values()) {
      ModelOptions options = ModelOptions.defaults().withQuantization(quantization);
      assertRefused(
          () -> LanguageModel.open(model, options).close(),
          file + ": tensor " + tensor.formatted(3),
          "expected a finite number to store as " + quantization,
          "found " + bad);
    }
  }

  static Stream<Arguments> damagesOfModelsWithGgufTwins() {
    return damages().filter(c -> c.get()[0].toString().startsWith("qwen3"));
  }

  @ParameterizedTest
  @MethodSource("damagesOfModelsWithGgufTwins")
  void aDamagedMatrixIsNotConverted(String name, String tensor, float bad) throws IOException {
    Path model = damagedAt(name, tensor, 70, bad);
    for (FileType type : FileType.values()) {
      assertRefused(
          () -> convert(model, type),
          model + ": tensor ",
          tensor.substring("model.".length(), tensor.indexOf(".mlp.")),
          ", element ",
          "expected a finite number to store as ",
          "found " + bad);
      assertFalse(Files.exists(folder.resolve("out.gguf")));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "model.layers.0.input_layernorm.weight",
        "model.layers.0.linear_attn.dt_bias",
        "model.norm.weight"
      })
  void aDamagedVectorIsNotConverted(String tensor) throws IOException {
    Path model = damagedAt("qwen3_5", tensor, 3, Float.NaN);
    assertRefused(
        () -> convert(model, FileType.F32),
        model + ": tensor ",
        tensor.substring(tensor.lastIndexOf('.', tensor.length() - 8) + 1),
        "expected a finite number, found NaN");
  }

  /** Each would be an infinity, or have a scale that is one. */
  @ParameterizedTest
  @CsvSource({"F16, 65520", "F16, -1e9", "Q8_0, 1e7", "Q4_0, -1e6", "Q5_1, 66000", "BF16, 3.4e38"})
  void whatIsTooLargeForATypeIsNotConverted(FileType type, float large) throws IOException {
    Path model = damagedAt("qwen3_5", "model.layers.1.mlp.down_proj.weight", 100, large);
    assertRefused(
        () -> convert(model, type),
        model + ": tensor ",
        "layers.1.mlp.down_proj.weight, written as blk.1.ffn_down.weight",
        "row 1, element 4: expected a magnitude below ",
        "to store as " + type + ", found " + large);
    convert(model, FileType.F32);
    try (LanguageModel whole = LanguageModel.open(folder.resolve("out.gguf"))) {
      assertEquals(256, whole.config().vocabularySize());
    }
  }

  private void convert(Path model, FileType type) throws IOException {
    Path out = folder.resolve("out.gguf");
    HubToGguf.convert(model, type, out, Workers.shared(), (done, total) -> {});
  }

  private static void assertRefused(Executable call, String... said) {
    String message = assertThrows(CheckpointException.class, call).getMessage();
    for (String part : said) {
      assertTrue(message.contains(part), () -> "expected " + part + " in " + message);
    }
  }

  /** Both of the two codes that stand for no number, in a matrix that is used as it is. */
  @ParameterizedTest
  @ValueSource(ints = {0x7F, 0xFF})
  void aCodeThatIsNoNumberEndsInTheExceptionForWeights(int code) throws IOException {
    Path model = Fp8Folder.of(MODELS.resolve("qwen3_5"), folder, 32, 32, SafetensorsType.F32).fp8();
    Path file = model.resolve("model.safetensors");
    String tensor = "model.layers.1.mlp.down_proj.weight";
    byte[] bytes = Files.readAllBytes(file);
    ByteBuffer whole = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    int data = 8 + (int) whole.getLong(0);
    JsonNode header = new ObjectMapper().readTree(bytes, 8, data - 8);
    bytes[data + header.get(tensor).get("data_offsets").get(0).asInt() + 70] = (byte) code;
    Files.write(file, bytes);
    for (String kernels : new String[] {"scalar", "vector"}) {
      ModelOptions options = ModelOptions.defaults().withKernels(kernels);
      try (LanguageModel opened = LanguageModel.open(model, options)) {
        assertNoToken(opened.newSession().prefill(1, 2, 3));
      }
    }
    ModelOptions quantized = ModelOptions.defaults().withQuantization(Quantization.Q8_0);
    assertRefused(
        () -> LanguageModel.open(model, quantized).close(),
        file + ": tensor " + tensor + ": row 0, element 70: expected a finite number");
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

  /** Of a number alone, so that its block and row are full of others. */
  private Path damagedAt(String name, String tensor, int place, float bad) throws IOException {
    HubCopy copy = new HubCopy(MODELS.resolve(name));
    copy.values(tensor.formatted(3))[place] = bad;
    return copy.write(Files.createTempDirectory(folder, "damaged"));
  }
}
