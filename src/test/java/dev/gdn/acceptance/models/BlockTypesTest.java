package dev.gdn.acceptance.models;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gdn.core.concurrent.Workers;
import dev.gdn.core.tensor.DataType;
import dev.gdn.core.tensor.RowGroups;
import dev.gdn.model.LanguageModel;
import dev.gdn.model.ModelOptions;
import dev.gdn.model.Session;
import dev.gdn.model.config.Architecture;
import dev.gdn.model.config.AttentionConfig;
import dev.gdn.model.config.LayerType;
import dev.gdn.model.config.LinearAttentionConfig;
import dev.gdn.model.config.MixtureOfExperts;
import dev.gdn.model.config.ModelConfig;
import dev.gdn.model.config.RotaryConfig;
import dev.gdn.model.gguf.FileType;
import dev.gdn.model.gguf.GgmlType;
import dev.gdn.model.gguf.GgufFile;
import dev.gdn.model.gguf.GgufTensor;
import dev.gdn.model.gguf.GgufWriter;
import dev.gdn.model.synth.SyntheticCheckpoint;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/**
 * Files all of whose matrices, experts and embedding too, are blocks of one type, against the same
 * numbers in float32.
 */
class BlockTypesTest {
  /** All widths are blocks of 256. */
  private static final ModelConfig CONFIG =
      new ModelConfig(
          Architecture.QWEN3_5_MOE,
          300,
          256,
          List.of(LayerType.LINEAR_ATTENTION, LayerType.FULL_ATTENTION),
          1e-6f,
          false,
          512,
          new AttentionConfig(4, 2, 64, new RotaryConfig(16, 1e6, List.of())),
          new LinearAttentionConfig(2, 4, 64, 64, 4),
          Collections.nCopies(2, new MixtureOfExperts(4, 2, true, 256, 256)));

  private static final int[] IDS = new Random(3).ints(26, 0, CONFIG.vocabularySize()).toArray();

  @TempDir static Path folder;

  private static Path model;

  @BeforeAll
  static void write() throws IOException {
    model = folder.resolve("model.gguf");
    SyntheticCheckpoint.write(
        "tiny", CONFIG, FileType.F32, 5, model, Workers.of(1), (bytes, total) -> {});
  }

  @ParameterizedTest
  @EnumSource(
      value = DataType.class,
      mode = Mode.EXCLUDE,
      names = {"F32", "F16", "BF16", "F8_E4M3"})
  void logitsAreThoseOfTheDecodedNumbers(DataType type) throws IOException {
    Path stored = folder.resolve(type + ".gguf");
    Path decoded = folder.resolve(type + "-decoded.gguf");
    writeTwins(type, stored, decoded);
    // Vector kernels round what these meet to 8 bits, 32 inputs at a time. The others only add in
    // another order: up to 3e-7 was seen with Q8_0, and no difference with the rest.
    double tolerance = RowGroups.covers(type) ? 1.5e-2 : 1e-5;
    for (String kernels : List.of("scalar", "vector")) {
      List<float[]> expected = logits(decoded, kernels);
      List<float[]> found = logits(stored, kernels);
      for (int i = 0; i < expected.size(); i++) {
        double apart = apart(expected.get(i), found.get(i));
        assertTrue(apart <= tolerance, "%s %s, %d: apart by %s".formatted(type, kernels, i, apart));
      }
    }
  }

  /** Two files of the same numbers, one of them in float32. */
  private static void writeTwins(DataType type, Path stored, Path decoded) throws IOException {
    Random random = new Random(type.ordinal());
    GgufWriter blocks = new GgufWriter();
    GgufWriter floats = new GgufWriter();
    int matrices = 0;
    try (GgufFile file = GgufFile.open(model)) {
      file.metadata().values().forEach(blocks::put);
      file.metadata().values().forEach(floats::put);
      for (GgufTensor tensor : file.tensors().values()) {
        GgufTensor made = tensor;
        if (isMatrix(tensor)) {
          matrices++;
          double size = RandomBlocks.rootMeanSquare(tensor.toStored());
          MemorySegment data = RandomBlocks.of(random, type, tensor.shape().elements(), size);
          made =
              new GgufTensor(tensor.file(), tensor.name(), GgmlType.of(type), tensor.shape(), data);
        }
        MemorySegment values = MemorySegment.ofArray(made.toStored().toFloats());
        blocks.tensor(made.name(), made.type(), made.shape(), made.data());
        floats.tensor(made.name(), GgmlType.F32, made.shape(), values);
      }
      // Embedding and head, five of the linear layer, four of the other, six of each mixture.
      assertEquals(2 + 5 + 4 + 2 * 6, matrices);
      blocks.write(stored, (bytes, total) -> {});
      floats.write(decoded, (bytes, total) -> {});
    }
  }

  private static boolean isMatrix(GgufTensor tensor) {
    return tensor.shape().rank() > 1
        && !tensor.name().contains("conv1d")
        && !tensor.name().contains("ffn_gate_inp");
  }

  /** After a long prompt, after a short one, and after single tokens. */
  private static List<float[]> logits(Path file, String kernels) {
    ModelOptions options = ModelOptions.defaults().withKernels(kernels);
    List<float[]> all = new ArrayList<>();
    try (LanguageModel model = LanguageModel.open(file, options)) {
      Session session = model.newSession();
      all.add(session.prefill(Arrays.copyOf(IDS, 21)).clone());
      all.add(session.prefill(Arrays.copyOfRange(IDS, 21, 24)).clone());
      for (int i = 24; i < IDS.length; i++) {
        all.add(session.decode(IDS[i]).clone());
      }
    }
    return all;
  }

  /** The largest difference as a part of the largest logit. */
  private static double apart(float[] expected, float[] found) {
    double largest = 0;
    double apart = 0;
    for (int i = 0; i < expected.length; i++) {
      largest = Math.max(largest, Math.abs(expected[i]));
      apart = Math.max(apart, Math.abs(expected[i] - found[i]));
    }
    return apart / largest;
  }
}
