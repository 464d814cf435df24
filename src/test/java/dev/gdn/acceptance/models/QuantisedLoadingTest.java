package dev.gdn.acceptance.models;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gdn.core.concurrent.Workers;
import dev.gdn.core.tensor.DataType;
import dev.gdn.demo.DemoModel;
import dev.gdn.model.LanguageModel;
import dev.gdn.model.ModelOptions;
import dev.gdn.model.Perplexity;
import dev.gdn.model.checkpoint.Checkpoint;
import dev.gdn.model.checkpoint.LoadOptions;
import dev.gdn.model.checkpoint.Quantization;
import dev.gdn.model.checkpoint.WeightSource;
import dev.gdn.model.convert.HubToGguf;
import dev.gdn.model.error.CheckpointException;
import dev.gdn.model.gguf.FileType;
import dev.gdn.model.safetensors.SafetensorsFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Matrices that are quantised while a checkpoint is loaded. */
class QuantisedLoadingTest {
  private static final Path HUB = Path.of("resources/fixtures/models/qwen3_5");
  private static final int[] IDS = {5, 200, 7, 7, 31, 0, 255, 64};

  @TempDir Path folder;

  private Path convert(FileType type) throws IOException {
    Path file = folder.resolve(type + ".gguf");
    HubToGguf.convert(HUB, type, file, Workers.shared(), (bytes, total) -> {});
    return file;
  }

  private static float[] logits(Path path, ModelOptions options) {
    try (LanguageModel model = LanguageModel.open(path, options)) {
      return model.newSession().prefill(IDS).clone();
    }
  }

  // Same bytes, same order of everything: to the bit, whichever number of threads makes them.
  @ParameterizedTest
  @EnumSource
  void aFileQuantisedWhileLoadingIsTheQuantisedFile(Quantization quantization) throws IOException {
    float[] expected =
        logits(convert(FileType.valueOf(quantization.name())), ModelOptions.defaults());
    Path exact = convert(FileType.F32);
    for (int threads : new int[] {1, 3}) {
      try (Workers workers = Workers.of(threads)) {
        ModelOptions options =
            ModelOptions.defaults().withWorkers(workers).withQuantization(quantization);
        assertArrayEquals(expected, logits(exact, options), threads + " threads");
      }
    }
  }

  /** Likelihoods by llama.cpp (node-llama-cpp 3.22.1) of the file that it made of this model. */
  @ParameterizedTest
  @CsvSource({"Q8_0, 3.8960070", "Q4_0, 3.9029236"})
  void aHubFolderIsAsLikelyAsTheQuantisedFile(Quantization quantization, double expected) {
    int[] ids;
    try (SafetensorsFile file =
        SafetensorsFile.open(Path.of("resources/fixtures/demo-model/expected.safetensors"))) {
      ids =
          Arrays.stream(file.tensor("eval_ids").toLongs())
              .limit(256)
              .mapToInt(Math::toIntExact)
              .toArray();
    }
    ModelOptions options = ModelOptions.defaults().withQuantization(quantization);
    try (LanguageModel model = LanguageModel.open(DemoModel.extract(), options)) {
      Perplexity perplexity = Perplexity.measure(model, ids, (done, total) -> {});
      assertEquals(expected, perplexity.meanNegativeLogLikelihood(), 2e-3);
    }
  }

  private static LoadOptions options(Quantization quantization) {
    return LoadOptions.mapped(Optional.of(quantization), Workers.shared(), (bytes, total) -> {});
  }

  @Test
  void matricesTakeTheSpaceOfTheirTypeAndOthersStay() {
    try (WeightSource weights = Checkpoint.open(HUB).openWeights(options(Quantization.Q4_0))) {
      var matrix = weights.require("layers.0.mlp.down_proj.weight", 64, 96);
      assertEquals(DataType.Q4_0, matrix.type());
      assertEquals(64 * 96 / 32 * 18, matrix.data().byteSize());
      assertEquals(DataType.Q4_0, weights.require("embed_tokens.weight", 256, 64).type());
      assertEquals(DataType.BF16, weights.require("norm.weight", 64).type());
      assertEquals(
          DataType.BF16, weights.require("layers.0.linear_attn.conv1d.weight", 128, 1, 4).type());
    }
  }

  @Test
  void theFileIsUnmappedWhenNothingIsAViewOfIt() throws IOException {
    Path maps = Path.of("/proc/self/maps");
    Assumptions.assumeTrue(Files.exists(maps), "no list of mappings");
    Path file = convert(FileType.F16);
    try (LanguageModel mapped = LanguageModel.open(file)) {
      assertTrue(Files.readString(maps).contains(file.toString()));
      assertEquals(256, mapped.newSession().prefill(IDS).length);
    }
    ModelOptions options = ModelOptions.defaults().withQuantization(Quantization.Q8_0);
    try (LanguageModel model = LanguageModel.open(file, options)) {
      assertFalse(Files.readString(maps).contains(file.toString()));
      assertEquals(256, model.newSession().prefill(IDS).length);
    }
  }

  @Test
  void memoryIsGoneAfterClose() {
    WeightSource weights = Checkpoint.open(HUB).openWeights(options(Quantization.Q8_0));
    var matrix = weights.require("layers.0.mlp.down_proj.weight", 64, 96);
    weights.close();
    weights.close();
    assertThrows(IllegalStateException.class, matrix::toFloats);
  }

  @Test
  void progressRisesToTheTotal() {
    List<Long> seen = new ArrayList<>();
    List<Long> totals = new ArrayList<>();
    ModelOptions options =
        ModelOptions.defaults()
            .withQuantization(Quantization.Q8_0)
            .withLoadProgress(
                (bytes, total) -> {
                  seen.add(bytes);
                  totals.add(total);
                });
    LanguageModel.open(HUB, options).close();
    assertTrue(seen.size() > 10, seen.toString());
    assertEquals(seen.stream().sorted().toList(), seen);
    assertEquals(1, totals.stream().distinct().count());
    assertEquals(totals.getLast(), seen.getLast());
  }

  @Test
  void weightsThatAreMappedReportNothing() {
    ModelOptions options =
        ModelOptions.defaults()
            .withLoadProgress(
                (bytes, total) -> {
                  throw new AssertionError("reported " + bytes);
                });
    LanguageModel.open(HUB, options).close();
  }

  @Test
  void anInterruptedThreadStopsLoading() {
    List<Long> seen = new ArrayList<>();
    ModelOptions options =
        ModelOptions.defaults()
            .withQuantization(Quantization.Q8_0)
            .withLoadProgress(
                (bytes, total) -> {
                  seen.add(bytes);
                  Thread.currentThread().interrupt();
                });
    try {
      CancellationException cancelled =
          assertThrows(CancellationException.class, () -> LanguageModel.open(HUB, options).close());
      assertEquals("loading " + HUB + " was interrupted", cancelled.getMessage());
      assertEquals(1, seen.size());
    } finally {
      assertTrue(Thread.interrupted());
    }
  }

  @Test
  void aCheckpointThatIsQuantisedAlreadyIsRefused() throws IOException {
    Path file = convert(FileType.Q8_0);
    CheckpointException refusal =
        assertThrows(
            CheckpointException.class,
            () ->
                LanguageModel.open(
                        file, ModelOptions.defaults().withQuantization(Quantization.Q4_0))
                    .close());
    assertEquals(
        file + ": weights: expected matrices in floating point to quantise to Q4_0, found none",
        refusal.getMessage());
  }
}
