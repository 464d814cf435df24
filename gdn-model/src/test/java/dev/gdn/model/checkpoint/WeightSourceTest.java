package dev.gdn.model.checkpoint;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gdn.core.concurrent.Workers;
import dev.gdn.core.tensor.DataType;
import dev.gdn.core.tensor.Shape;
import dev.gdn.core.tensor.StoredTensor;
import dev.gdn.model.config.Architecture;
import dev.gdn.model.error.CheckpointException;
import dev.gdn.model.gguf.GgmlType;
import dev.gdn.model.gguf.GgufFile;
import dev.gdn.model.gguf.GgufValue;
import dev.gdn.model.gguf.GgufWriter;
import dev.gdn.model.safetensors.SafetensorsWriter;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What the weights of both formats promise, whether or not they are quantised. */
class WeightSourceTest {
  /** Of as many elements as a matrix has whose type is told. */
  private static final Shape EMBEDDING = new Shape(1024, 64);

  private static final Shape CONVOLUTION = new Shape(64, 4);
  private static final Shape NORM = new Shape(64);

  private static final long BYTES = 4 * (1024 * 64 + 64 * 4 + 64);

  @TempDir Path folder;

  private enum Format {
    HUB {
      @Override
      void write(Path folder, float[] embedding) throws IOException {
        new SafetensorsWriter()
            .add("model.embed_tokens.weight", EMBEDDING, embedding)
            .add("model.layers.0.linear_attn.conv1d.weight", CONVOLUTION, new float[256])
            .add("model.norm.weight", NORM, new float[64])
            .write(file(folder));
      }

      @Override
      Path file(Path folder) {
        return folder.resolve("model.safetensors");
      }

      @Override
      WeightSource open(Path folder, LoadOptions options) {
        return HubWeights.open(folder, Architecture.QWEN3_5, true, Optional.empty(), options);
      }
    },
    GGUF {
      @Override
      void write(Path folder, float[] embedding) throws IOException {
        GgufWriter writer = new GgufWriter();
        writer.put("general.architecture", GgufValue.of("qwen35"));
        writer.put("qwen35.block_count", GgufValue.of(1));
        add(writer, "token_embd.weight", EMBEDDING, embedding);
        add(writer, "blk.0.ssm_conv1d.weight", CONVOLUTION, new float[256]);
        add(writer, "output_norm.weight", NORM, new float[64]);
        writer.write(file(folder), (bytes, total) -> {});
      }

      private static void add(GgufWriter writer, String name, Shape shape, float[] values) {
        writer.tensor(name, GgmlType.F32, shape, MemorySegment.ofArray(values));
      }

      @Override
      Path file(Path folder) {
        return folder.resolve("model.gguf");
      }

      @Override
      WeightSource open(Path folder, LoadOptions options) {
        return new GgufWeights(GgufFile.open(file(folder)), 1, options);
      }
    };

    abstract void write(Path folder, float[] embedding) throws IOException;

    abstract Path file(Path folder);

    abstract WeightSource open(Path folder, LoadOptions options);
  }

  private WeightSource open(Format format, boolean quantised) throws IOException {
    return open(format, quantised, (bytes, total) -> {});
  }

  private WeightSource open(Format format, boolean quantised, LoadProgress progress)
      throws IOException {
    format.write(folder, new float[1024 * 64]);
    return format.open(folder, options(quantised, progress));
  }

  private static LoadOptions options(boolean quantised, LoadProgress progress) {
    Optional<Quantization> quantization =
        quantised ? Optional.of(Quantization.Q8_0) : Optional.empty();
    return LoadOptions.mapped(quantization, Workers.shared(), progress);
  }

  private static List<StoredTensor> requireAll(WeightSource weights) {
    List<StoredTensor> tensors =
        List.of(
            weights.require("embed_tokens.weight", EMBEDDING.dimensions()),
            weights.require("layers.0.linear_attn.conv1d.weight", CONVOLUTION.dimensions()),
            weights.require("norm.weight", NORM.dimensions()));
    weights.refuseUnused();
    return tensors;
  }

  @ParameterizedTest
  @CsvSource({"HUB, false", "HUB, true", "GGUF, false", "GGUF, true"})
  void tensorsAreGoneAfterClose(Format format, boolean quantised) throws IOException {
    WeightSource weights = open(format, quantised);
    List<StoredTensor> tensors = requireAll(weights);
    tensors.forEach(StoredTensor::toFloats);
    weights.close();
    weights.close();
    for (StoredTensor tensor : tensors) {
      assertThrows(IllegalStateException.class, tensor::toFloats, tensor.name());
    }
  }

  @ParameterizedTest
  @EnumSource
  void theTypesOfLargeMatricesAreTold(Format format) throws IOException {
    try (WeightSource stored = open(format, false);
        WeightSource quantised = open(format, true)) {
      assertEquals(Set.of(), stored.matrixTypes());
      requireAll(stored);
      assertEquals(Set.of(DataType.F32), stored.matrixTypes());
      requireAll(quantised);
      assertEquals(Set.of(DataType.Q8_0), quantised.matrixTypes());
    }
  }

  @ParameterizedTest
  @EnumSource
  void shapesAreFoundByNameAndNormsAsTheFormatHasThem(Format format) throws IOException {
    try (WeightSource weights = open(format, false)) {
      assertEquals(Optional.of(EMBEDDING), weights.shape("embed_tokens.weight"));
      assertEquals(Optional.empty(), weights.shape("lm_head.weight"));
      assertEquals(format == Format.HUB, weights.zeroCentredNorms());
    }
  }

  @ParameterizedTest
  @EnumSource
  void tensorsThatNobodyAskedForAreCounted(Format format) throws IOException {
    try (WeightSource weights = open(format, false)) {
      weights.require("embed_tokens.weight", EMBEDDING.dimensions());
      String two = assertThrows(CheckpointException.class, weights::refuseUnused).getMessage();
      assertTrue(two.contains("unknown") && two.endsWith(" (and 1 more)"), two);
      weights.require("layers.0.linear_attn.conv1d.weight", CONVOLUTION.dimensions());
      String one = assertThrows(CheckpointException.class, weights::refuseUnused).getMessage();
      assertTrue(one.contains("norm.weight: unknown") && !one.contains("more"), one);
    }
  }

  @ParameterizedTest
  @EnumSource
  void progressIsOfTheBytesOfAllTensors(Format format) throws IOException {
    List<Long> done = new ArrayList<>();
    Set<Long> totals = new HashSet<>();
    LoadProgress progress =
        (bytes, total) -> {
          done.add(bytes);
          totals.add(total);
        };
    try (WeightSource weights = open(format, true, progress)) {
      requireAll(weights);
    }
    assertEquals(List.of(4L * 1024 * 64, BYTES), done);
    done.clear();
    try (WeightSource weights = open(format, true, progress)) {
      weights.require("norm.weight", NORM.dimensions());
      weights.require("embed_tokens.weight", EMBEDDING.dimensions());
      assertEquals(List.of(4L * (64 + 1024 * 64)), done);
    }
    assertEquals(Set.of(BYTES), totals);
  }

  /** Rows are encoded in pieces of a megabyte: here of 15,420 rows. */
  @Test
  void progressIsToldWithinALargeMatrix() throws IOException {
    int rows = 16_384;
    new SafetensorsWriter()
        .add("model.norm.weight", NORM, new float[64])
        .add("model.embed_tokens.weight", new Shape(rows, 64), new float[rows * 64])
        .write(Format.HUB.file(folder));
    List<Long> done = new ArrayList<>();
    LoadOptions options = options(true, (bytes, total) -> done.add(bytes));
    try (WeightSource weights = Format.HUB.open(folder, options)) {
      weights.require("norm.weight", NORM.dimensions());
      weights.require("embed_tokens.weight", rows, 64);
    }
    assertEquals(List.of(256L + 15_420 * 256, 256L + rows * 256), done);
  }

  @ParameterizedTest
  @EnumSource
  void quantisedNumbersAreNearThoseThatAreStored(Format format) throws IOException {
    float[] embedding = new float[1024 * 64];
    for (int i = 0; i < embedding.length; i++) {
      embedding[i] = (float) Math.sin(i);
    }
    format.write(folder, embedding);
    try (WeightSource weights = format.open(folder, options(true, (bytes, total) -> {}))) {
      StoredTensor quantised = weights.require("embed_tokens.weight", EMBEDDING.dimensions());
      // Half a step of 1/127 of the largest in a block.
      assertArrayEquals(embedding, quantised.toFloats(), 0.5f / 127 + 1e-3f);
    }
  }

  @ParameterizedTest
  @CsvSource({"HUB, false", "HUB, true", "GGUF, false", "GGUF, true"})
  void theFilesAreUnmappedOnceAllIsInMemory(Format format, boolean quantised) throws IOException {
    Path maps = Path.of("/proc/self/maps");
    Assumptions.assumeTrue(Files.exists(maps), "no list of mappings");
    String file = format.file(folder).toString();
    try (WeightSource weights = open(format, quantised)) {
      assertTrue(Files.readString(maps).contains(file));
      requireAll(weights);
      assertEquals(!quantised, Files.readString(maps).contains(file));
    }
    assertFalse(Files.readString(maps).contains(file));
  }

  @Test
  void filesThatAreRefusedAreUnmapped() throws IOException {
    Path maps = Path.of("/proc/self/maps");
    Assumptions.assumeTrue(Files.exists(maps), "no list of mappings");
    new SafetensorsWriter()
        .add("model.norm.weight", NORM, new float[64])
        .add("norm.weight", NORM, new float[64])
        .write(Format.HUB.file(folder));
    Files.write(Format.GGUF.file(folder), new byte[64]);
    for (Format format : Format.values()) {
      LoadOptions options = options(false, (bytes, total) -> {});
      assertThrows(CheckpointException.class, () -> format.open(folder, options));
      assertFalse(Files.readString(maps).contains(format.file(folder).toString()));
    }
  }

  @ParameterizedTest
  @EnumSource
  void theFingerprintIsThatOfTheStoredWeights(Format format) throws IOException {
    byte[] fingerprint;
    try (WeightSource stored = open(format, false);
        WeightSource quantised = open(format, true)) {
      fingerprint = stored.fingerprint();
      assertEquals(32, fingerprint.length);
      assertArrayEquals(fingerprint, quantised.fingerprint());
      requireAll(quantised);
      quantised.fingerprint()[0]++;
      assertArrayEquals(fingerprint, quantised.fingerprint(), "of files that are closed");
    }
    float[] another = new float[1024 * 64];
    another[another.length - 1] = 1;
    format.write(folder, another);
    try (WeightSource weights = format.open(folder, options(false, (bytes, total) -> {}))) {
      assertFalse(Arrays.equals(fingerprint, weights.fingerprint()));
    }
  }
}
