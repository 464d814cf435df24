package dev.gdn.acceptance.models;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gdn.core.concurrent.Workers;
import dev.gdn.core.tensor.DataType;
import dev.gdn.core.tensor.Shape;
import dev.gdn.core.tensor.StoredTensor;
import dev.gdn.model.LanguageModel;
import dev.gdn.model.ModelOptions;
import dev.gdn.model.Session;
import dev.gdn.model.checkpoint.HubFolder;
import dev.gdn.model.checkpoint.Quantization;
import dev.gdn.model.checkpoint.WeightSource;
import dev.gdn.model.convert.HubToGguf;
import dev.gdn.model.error.CheckpointException;
import dev.gdn.model.gguf.FileType;
import dev.gdn.model.safetensors.SafetensorsFile;
import dev.gdn.model.safetensors.SafetensorsType;
import dev.gdn.model.safetensors.SafetensorsWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Mixtures of experts in block-wise FP8: one matrix for each expert, as Qwen publishes them, and
 * stacks of experts, as transformers holds them in memory.
 */
class Fp8MixtureTest {
  private static final Path MODELS = Path.of("resources/fixtures/models");
  private static final int[] IDS = {5, 200, 7, 7, 31, 0, 255, 64, 9, 9, 9, 100};

  @TempDir Path folder;

  private Fp8Folder oneByOne(String model, int rows, int columns) throws IOException {
    Path into = Files.createDirectories(folder.resolve("one-by-one"));
    return Fp8Folder.of(MODELS.resolve(model), into, rows, columns, SafetensorsType.BF16);
  }

  private Fp8Folder stacked(String model, int rows, int columns) throws IOException {
    Path hub = Files.createDirectory(folder.resolve("hub"));
    ExpertLayouts.stackAll(new HubCopy(MODELS.resolve(model))).write(hub);
    Path into = Files.createDirectory(folder.resolve("stacked"));
    return Fp8Folder.of(hub, into, rows, columns, SafetensorsType.BF16);
  }

  private static float[][] logits(Path path, ModelOptions options) {
    try (LanguageModel model = LanguageModel.open(path, options)) {
      Session session = model.newSession();
      float[] prefilled = session.prefill(IDS).clone();
      return new float[][] {prefilled, session.decode(7).clone()};
    }
  }

  private static void assertExact(Fp8Folder twins) {
    float[][] exact = logits(twins.exact(), ModelOptions.defaults());
    for (String kernels : new String[] {"scalar", "vector"}) {
      float[][] found = logits(twins.fp8(), ModelOptions.defaults().withKernels(kernels));
      assertArrayEquals(exact[0], found[0], 1e-4f, kernels + ", prefill");
      assertArrayEquals(exact[1], found[1], 1e-4f, kernels + ", decode");
    }
  }

  // The published size of blocks, and one that cuts these matrices up.
  @ParameterizedTest
  @CsvSource({
    "qwen3_5_moe, 128, 128",
    "qwen3_5_moe, 16, 32",
    "qwen3_next, 128, 128",
    "qwen3_next, 48, 32"
  })
  void expertsOneByOne(String model, int rows, int columns) throws IOException {
    assertExact(oneByOne(model, rows, columns));
  }

  // A block of 128 or 48 rows holds some of the gate and some of the up projection.
  @ParameterizedTest
  @CsvSource({"qwen3_5_moe, 128, 128", "qwen3_5_moe, 48, 20", "qwen3_next, 16, 32"})
  void expertsAsStacks(String model, int rows, int columns) throws IOException {
    assertExact(stacked(model, rows, columns));
  }

  // Where no block lies across two experts, the numbers are the same in either layout.
  @Test
  void theTwoLayoutsGiveTheSameBits() throws IOException {
    float[][] expected = logits(oneByOne("qwen3_5_moe", 16, 32).fp8(), ModelOptions.defaults());
    float[][] actual = logits(stacked("qwen3_5_moe", 16, 32).fp8(), ModelOptions.defaults());
    assertArrayEquals(expected[0], actual[0]);
    assertArrayEquals(expected[1], actual[1]);
  }

  @ParameterizedTest
  @CsvSource({"16, 32, F8_E4M3, 9", "48, 20, F32, 32"})
  void elementsOfAStackAreExact(int rows, int columns, DataType type, int bits) throws IOException {
    Fp8Folder twins = stacked("qwen3_5_moe", rows, columns);
    String name = "layers.2.mlp.experts.gate_up_proj";
    try (WeightSource fp8 = HubFolder.open(twins.fp8()).openWeights();
        WeightSource exact = HubFolder.open(twins.exact()).openWeights()) {
      StoredTensor tensor = fp8.require(name, 8, 64, 64);
      assertEquals(type, tensor.type());
      assertEquals(bits * 8 * 64 * 64 / 8, tensor.data().byteSize());
      assertArrayEquals(exact.require(name, 8, 64, 64).toFloats(), tensor.toFloats());
    }
  }

  @Test
  void quantisingAStackGoesFromTheExactNumbers() throws IOException {
    Fp8Folder twins = stacked("qwen3_5_moe", 32, 32);
    ModelOptions options = ModelOptions.defaults().withQuantization(Quantization.Q8_0);
    assertArrayEquals(logits(twins.exact(), options), logits(twins.fp8(), options));
  }

  @Test
  void conversionGivesATwin() throws IOException {
    Path file = folder.resolve("twin.gguf");
    for (Fp8Folder twins :
        new Fp8Folder[] {oneByOne("qwen3_5_moe", 128, 128), stacked("qwen3_5_moe", 128, 128)}) {
      HubToGguf.convert(twins.fp8(), FileType.F32, file, Workers.shared(), (bytes, total) -> {});
      float[][] expected = logits(twins.exact(), ModelOptions.defaults());
      float[][] actual = logits(file, ModelOptions.defaults());
      assertArrayEquals(expected[0], actual[0], 1e-4f);
      assertArrayEquals(expected[1], actual[1], 1e-4f);
    }
  }

  /** The folder with other scales of one tensor, or none. */
  private static Path withScales(Path fp8, String tensor, Shape shape) throws IOException {
    Path file = fp8.resolve("model.safetensors");
    Path original = Files.move(file, fp8.resolve("original"));
    SafetensorsWriter writer = new SafetensorsWriter();
    try (SafetensorsFile opened = SafetensorsFile.open(original)) {
      opened
          .tensors()
          .forEach(
              (name, t) -> {
                if (!name.equals(tensor)) {
                  writer.add(name, t.type(), t.shape(), t.data());
                } else if (shape != null) {
                  writer.add(name, shape, new float[(int) shape.elements()]);
                }
              });
      writer.write(file);
    }
    return fp8;
  }

  private static void assertRefused(Path fp8, String tensor, String problem) {
    CheckpointException refusal =
        assertThrows(CheckpointException.class, () -> LanguageModel.open(fp8).close());
    assertEquals(fp8.resolve("model.safetensors"), refusal.file());
    assertEquals("tensor " + tensor, refusal.subject());
    assertTrue(refusal.getMessage().endsWith(": " + problem), refusal.getMessage());
  }

  @Test
  void scalesOfAnExpertThatAreMissing() throws IOException {
    String name = ExpertLayouts.name(2, 5, "up_proj");
    assertRefused(
        withScales(oneByOne("qwen3_5_moe", 128, 128).fp8(), name + "_scale_inv", null),
        name,
        "expected its scales in " + name + "_scale_inv, found none");
  }

  // One scale for a matrix is another way of quantising.
  @ParameterizedTest
  @CsvSource({"'8', '[8]'", "'8,1,1', '[8, 1, 1]'", "'8,2', '[8, 2]'"})
  void scalesOfAStackThatAreNotForBlocks(String dimensions, String found) throws IOException {
    String name = "model.layers.1.mlp.experts.gate_up_proj_scale_inv";
    long[] shape = Arrays.stream(dimensions.split(",")).mapToLong(Long::parseLong).toArray();
    assertRefused(
        withScales(stacked("qwen3_5_moe", 32, 32).fp8(), name, new Shape(shape)),
        name,
        "expected shape [8, 2, 2], found " + found);
  }

  @Test
  void aStackWithoutScales() throws IOException {
    String name = "model.layers.3.mlp.experts.down_proj";
    assertRefused(
        withScales(stacked("qwen3_5_moe", 32, 32).fp8(), name + "_scale_inv", null),
        name,
        "expected its scales in " + name + "_scale_inv, found none");
  }
}
