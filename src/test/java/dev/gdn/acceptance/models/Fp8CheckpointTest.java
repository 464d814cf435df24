package dev.gdn.acceptance.models;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gdn.core.concurrent.Workers;
import dev.gdn.core.tensor.DataType;
import dev.gdn.core.tensor.Shape;
import dev.gdn.core.tensor.StoredTensor;
import dev.gdn.model.LanguageModel;
import dev.gdn.model.ModelOptions;
import dev.gdn.model.checkpoint.HubFolder;
import dev.gdn.model.checkpoint.Quantization;
import dev.gdn.model.checkpoint.WeightSource;
import dev.gdn.model.convert.HubToGguf;
import dev.gdn.model.error.CheckpointException;
import dev.gdn.model.gguf.FileType;
import dev.gdn.model.safetensors.SafetensorsFile;
import dev.gdn.model.safetensors.SafetensorsTensor;
import dev.gdn.model.safetensors.SafetensorsType;
import dev.gdn.model.safetensors.SafetensorsWriter;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Block-wise FP8 checkpoints against the same numbers in float32. */
class Fp8CheckpointTest {
  private static final Path HUB = Path.of("resources/fixtures/models/qwen3_5");
  private static final int[] IDS = {5, 200, 7, 7, 31, 0, 255, 64, 9, 9, 9, 100};

  @TempDir Path folder;

  private static float[] logits(Path path, ModelOptions options) {
    try (LanguageModel model = LanguageModel.open(path, options)) {
      return model.newSession().prefill(IDS).clone();
    }
  }

  // Blocks of 128 x 128 hold most of these matrices whole; the others cut them up, at the edges
  // too.
  @ParameterizedTest
  @CsvSource({"128, 128, BF16", "128, 128, F32", "32, 32, BF16", "48, 20, F32"})
  void logitsAreThoseOfTheExactNumbers(int rows, int columns, SafetensorsType scales)
      throws IOException {
    Fp8Folder twins = Fp8Folder.of(HUB, folder, rows, columns, scales);
    float[] exact = logits(twins.exact(), ModelOptions.defaults());
    for (String kernels : new String[] {"scalar", "vector"}) {
      ModelOptions options = ModelOptions.defaults().withKernels(kernels);
      assertArrayEquals(exact, logits(twins.fp8(), options), 1e-4f, kernels);
    }
    // The original's matrices are far enough away for that to mean something.
    float worst = 0;
    float[] original = logits(HUB, ModelOptions.defaults());
    for (int i = 0; i < exact.length; i++) {
      worst = Math.max(worst, Math.abs(exact[i] - original[i]));
    }
    assertTrue(worst > 1e-2, "FP8 moved a logit by " + worst);
  }

  // Blocks of 32 columns keep their bytes and scales; others become float32.
  @ParameterizedTest
  @CsvSource({"128, 128, F8_E4M3, 9", "16, 32, F8_E4M3, 9", "48, 20, F32, 32"})
  void elementsAreExact(int rows, int columns, DataType type, int bits) throws IOException {
    Fp8Folder twins = Fp8Folder.of(HUB, folder, rows, columns, SafetensorsType.F32);
    String name = "layers.0.mlp.down_proj.weight";
    try (WeightSource fp8 = HubFolder.open(twins.fp8()).openWeights();
        WeightSource exact = HubFolder.open(twins.exact()).openWeights()) {
      StoredTensor tensor = fp8.require(name, 64, 96);
      assertEquals(type, tensor.type());
      assertEquals(bits * 64 * 96 / 8, tensor.data().byteSize());
      assertArrayEquals(exact.require(name, 64, 96).toFloats(), tensor.toFloats());
    }
  }

  @ParameterizedTest
  @CsvSource({"Q8_0", "Q4_0"})
  void quantisingGoesFromTheExactNumbers(Quantization quantization) throws IOException {
    Fp8Folder twins = Fp8Folder.of(HUB, folder, 32, 32, SafetensorsType.BF16);
    ModelOptions options = ModelOptions.defaults().withQuantization(quantization);
    assertArrayEquals(logits(twins.exact(), options), logits(twins.fp8(), options));
  }

  @Test
  void conversionGivesATwin() throws IOException {
    Fp8Folder twins = Fp8Folder.of(HUB, folder, 32, 32, SafetensorsType.BF16);
    Path file = folder.resolve("twin.gguf");
    HubToGguf.convert(twins.fp8(), FileType.F32, file, Workers.shared(), (bytes, total) -> {});
    assertArrayEquals(
        logits(twins.exact(), ModelOptions.defaults()),
        logits(file, ModelOptions.defaults()),
        1e-4f);
  }

  private static void change(Path fp8, BiConsumer<SafetensorsTensor, SafetensorsWriter> change)
      throws IOException {
    Path file = fp8.resolve("model.safetensors");
    Path original = Files.move(file, fp8.resolve("original"));
    SafetensorsWriter writer = new SafetensorsWriter();
    try (SafetensorsFile opened = SafetensorsFile.open(original)) {
      opened.tensors().values().forEach(tensor -> change.accept(tensor, writer));
      writer.write(file);
    }
  }

  private void assertRefused(Path fp8, String subject, String problem) {
    CheckpointException refusal =
        assertThrows(CheckpointException.class, () -> LanguageModel.open(fp8).close());
    assertEquals(fp8.resolve("model.safetensors"), refusal.file());
    assertEquals("tensor " + subject, refusal.subject());
    assertTrue(refusal.getMessage().contains(problem), refusal.getMessage());
  }

  private void assertScalesRefused(
      BiConsumer<SafetensorsTensor, SafetensorsWriter> change, String subject, String problem)
      throws IOException {
    Path fp8 = Fp8Folder.of(HUB, folder, 128, 128, SafetensorsType.F32).fp8();
    change(
        fp8,
        (tensor, writer) -> {
          if (tensor.name().equals("model.layers.0.mlp.up_proj.weight_scale_inv")) {
            change.accept(tensor, writer);
          } else {
            writer.add(tensor.name(), tensor.type(), tensor.shape(), tensor.data());
          }
        });
    assertRefused(fp8, subject, problem);
  }

  @Test
  void scalesThatAreMissing() throws IOException {
    assertScalesRefused(
        (tensor, writer) -> {},
        "model.layers.0.mlp.up_proj.weight",
        "expected its scales in model.layers.0.mlp.up_proj.weight_scale_inv, found none");
  }

  @Test
  void scalesOfAnotherShape() throws IOException {
    assertScalesRefused(
        (tensor, writer) -> writer.add(tensor.name(), new Shape(1, 2), new float[2]),
        "model.layers.0.mlp.up_proj.weight_scale_inv",
        "expected shape [1, 1], found [1, 2]");
  }

  @Test
  void scalesThatAreNoNumbers() throws IOException {
    assertScalesRefused(
        (tensor, writer) -> writer.add(tensor.name(), new Shape(1, 1), new float[] {Float.NaN}),
        "model.layers.0.mlp.up_proj.weight_scale_inv",
        "expected finite scales, found NaN");
  }

  @Test
  void scalesOfNoFloatingPointType() throws IOException {
    assertScalesRefused(
        (tensor, writer) ->
            writer.add(
                tensor.name(),
                SafetensorsType.U8,
                tensor.shape(),
                MemorySegment.ofArray(new byte[1])),
        "model.layers.0.mlp.up_proj.weight_scale_inv",
        "found U8");
  }

  @Test
  void aConfigurationThatDoesNotSaySo() throws IOException {
    Path fp8 = Fp8Folder.of(HUB, folder, 128, 128, SafetensorsType.BF16).fp8();
    ObjectMapper json = new ObjectMapper();
    Path config = fp8.resolve("config.json");
    ObjectNode root = (ObjectNode) json.readTree(config.toFile());
    root.remove("quantization_config");
    json.writeValue(config.toFile(), root);
    CheckpointException refusal =
        assertThrows(CheckpointException.class, () -> LanguageModel.open(fp8).close());
    assertTrue(
        refusal.getMessage().endsWith("is F8_E4M3, but config.json has no quantization_config"),
        refusal.getMessage());
  }
}
