package dev.gdn.model.gguf;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.gdn.core.concurrent.Workers;
import dev.gdn.core.tensor.DataType;
import dev.gdn.core.tensor.Shape;
import dev.gdn.model.error.CheckpointException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class GgufRoundTripTest {
  private static final GgufWriter.Progress SILENT = (bytes, total) -> {};

  @TempDir Path folder;

  @Test
  void metadataOfEveryTypeComeBack() throws IOException {
    List<GgufValue> values = new ArrayList<>();
    values.add(new GgufValue.Whole(GgufValueType.UINT8, 200));
    values.add(new GgufValue.Whole(GgufValueType.INT8, -100));
    values.add(new GgufValue.Whole(GgufValueType.UINT16, 60_000));
    values.add(new GgufValue.Whole(GgufValueType.INT16, -30_000));
    values.add(new GgufValue.Whole(GgufValueType.UINT32, 4_000_000_000L));
    values.add(new GgufValue.Whole(GgufValueType.INT32, Integer.MIN_VALUE));
    values.add(new GgufValue.Whole(GgufValueType.UINT64, -1));
    values.add(new GgufValue.Whole(GgufValueType.INT64, Long.MIN_VALUE));
    values.add(new GgufValue.Real(GgufValueType.FLOAT32, 0.1f));
    values.add(new GgufValue.Real(GgufValueType.FLOAT64, 0.1));
    values.add(GgufValue.of(true));
    values.add(GgufValue.of(false));
    values.add(GgufValue.of("Grüße, 世界 🙂"));
    values.add(GgufValue.of(""));
    GgufWriter writer = new GgufWriter();
    for (int i = 0; i < values.size(); i++) {
      writer.put("key." + i, values.get(i));
    }
    writer.put("ints", GgufValue.of(GgufArray.ofInts(1, -2, 3)));
    writer.put("flags", GgufValue.of(GgufArray.ofBooleans(true, false, true)));
    writer.put("strings", GgufValue.of(GgufArray.ofStrings(List.of("", "ä", "Ġb"))));
    Path file = folder.resolve("metadata.gguf");
    writer.write(file, SILENT);
    try (GgufFile opened = GgufFile.open(file)) {
      GgufMetadata metadata = opened.metadata();
      for (int i = 0; i < values.size(); i++) {
        assertEquals(values.get(i), metadata.values().get("key." + i));
      }
      assertArrayEquals(new long[] {1, -2, 3}, metadata.findWholes("ints").orElseThrow());
      assertArrayEquals(
          new boolean[] {true, false, true}, metadata.findFlags("flags").orElseThrow());
      assertEquals(List.of("", "ä", "Ġb"), metadata.strings("strings"));
      assertEquals(3, opened.version());
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = DataType.class,
      names = {"F32", "F16", "BF16", "Q8_0", "Q5_0", "Q4_0"})
  void tensorsComeBack(DataType type) throws IOException {
    // Powers of two that each type holds exactly.
    RowSource rows =
        (row, target) -> {
          for (int i = 0; i < target.length; i++) {
            target[i] = i % 32 == 0 ? -8 : (float) (row + i) % 3 - 1;
          }
        };
    byte[] raw = {1, 2, 3, 4, 5};
    Path file = folder.resolve("tensors.gguf");
    new GgufWriter()
        .tensor("raw", GgmlType.I8, new Shape(5), MemorySegment.ofArray(raw))
        .tensor("rows", type, new Shape(2, 3, 64), rows, Workers.of(2))
        .write(file, SILENT);
    try (GgufFile opened = GgufFile.open(file)) {
      GgufTensor tensor = opened.tensors().get("rows");
      assertEquals(new Shape(2, 3, 64), tensor.shape());
      assertEquals(0, tensor.data().address() % 32);
      float[] expected = new float[6 * 64];
      float[] row = new float[64];
      for (int r = 0; r < 6; r++) {
        rows.fill(r, row);
        System.arraycopy(row, 0, expected, r * 64, 64);
      }
      float tolerance = type == DataType.Q8_0 ? 8 / 127f / 2 + 1e-3f : 0;
      assertArrayEquals(expected, tensor.toStored().toFloats(), tolerance);
      assertArrayEquals(raw, opened.tensors().get("raw").data().toArray(ValueLayout.JAVA_BYTE));
    }
  }

  /** Rows are encoded in pieces of a megabyte, of which the last is shorter. */
  @Test
  void rowsOfMoreThanOnePieceComeBack() throws IOException {
    Path file = folder.resolve("pieces.gguf");
    RowSource rows = (row, target) -> Arrays.fill(target, row);
    new GgufWriter()
        .tensor("a", DataType.F32, new Shape(1100, 256), rows, Workers.of(1))
        .write(file, SILENT);
    try (GgufFile opened = GgufFile.open(file)) {
      float[] values = opened.tensors().get("a").toStored().toFloats();
      for (int i = 0; i < values.length; i++) {
        assertEquals(i / 256, values[i]);
      }
    }
  }

  /** Bytes that are there already are copied in pieces of that size, too. */
  @Test
  void bytesOfMoreThanOnePieceComeBack() throws IOException {
    Path file = folder.resolve("bytes.gguf");
    byte[] bytes = new byte[2 * RowEncoder.PIECE + 5];
    new Random(1).nextBytes(bytes);
    List<Long> seen = new ArrayList<>();
    new GgufWriter()
        .tensor("a", GgmlType.I8, new Shape(bytes.length), MemorySegment.ofArray(bytes))
        .write(file, (done, total) -> seen.add(done));
    try (GgufFile opened = GgufFile.open(file)) {
      assertArrayEquals(bytes, opened.tensors().get("a").data().toArray(ValueLayout.JAVA_BYTE));
    }
    long piece = RowEncoder.PIECE;
    assertEquals(List.of(piece, 2 * piece, 2 * piece + 5, 2 * piece + 32), seen);
  }

  @Test
  void tensorsOfOneToFourDimensionsAndEmptyOnesComeBack() throws IOException {
    MemorySegment none = MemorySegment.ofArray(new byte[0]);
    MemorySegment numbers = MemorySegment.ofArray(new float[] {1, 2, 3, 4, 5, 6, 7, 8});
    Path file = folder.resolve("shapes.gguf");
    new GgufWriter()
        .tensor("four", GgmlType.F32, new Shape(2, 1, 2, 2), numbers)
        .tensor("one", GgmlType.F32, new Shape(8), numbers)
        .tensor("last", GgmlType.F32, new Shape(3, 0), none)
        .write(file, SILENT);
    try (GgufFile opened = GgufFile.open(file)) {
      assertEquals(new Shape(2, 1, 2, 2), opened.tensors().get("four").shape());
      assertEquals(8, opened.tensors().get("one").toStored().toFloats()[7]);
      assertEquals(0, opened.tensors().get("last").data().byteSize());
    }
    new GgufWriter().tensor("only", GgmlType.F32, new Shape(0), none).write(file, SILENT);
    try (GgufFile opened = GgufFile.open(file)) {
      assertEquals(new Shape(0), opened.tensors().get("only").shape());
    }
  }

  @Test
  void aTypeThatKernelsDoNotKnowIsRefusedWhenItIsUsed() throws IOException {
    Path file = folder.resolve("iq2.gguf");
    new GgufWriter()
        .tensor("a", GgmlType.IQ2_XXS, new Shape(256), MemorySegment.ofArray(new byte[66]))
        .write(file, SILENT);
    try (GgufFile opened = GgufFile.open(file)) {
      GgufTensor tensor = opened.tensors().get("a");
      CheckpointException refusal = assertThrows(CheckpointException.class, tensor::toStored);
      assertEquals(file + ": tensor a: the type IQ2_XXS is not supported", refusal.getMessage());
    }
  }

  @Test
  void aClosedFileIsNotRead() throws IOException {
    Path file = folder.resolve("closed.gguf");
    new GgufWriter()
        .tensor("a", GgmlType.F32, new Shape(2), MemorySegment.ofArray(new byte[8]))
        .write(file, SILENT);
    GgufFile opened = GgufFile.open(file);
    GgufTensor tensor = opened.tensors().get("a");
    opened.close();
    opened.close();
    assertThrows(IllegalStateException.class, () -> tensor.toStored().toFloats());
  }

  @Test
  void aFailedWriteLeavesNothingBehind() {
    Path file = folder.resolve("failed.gguf");
    GgufWriter writer =
        new GgufWriter()
            .tensor(
                "a",
                DataType.F32,
                new Shape(4, 4),
                (row, target) -> {
                  throw new IllegalStateException("no such row");
                },
                Workers.of(1));
    assertThrows(IllegalStateException.class, () -> writer.write(file, SILENT));
    assertFalse(Files.exists(file));
    assertEquals(0, folder.toFile().list().length);
  }

  @Test
  void progressEndsAtTheTotal() throws IOException {
    List<Long> seen = new ArrayList<>();
    new GgufWriter()
        .tensor("a", GgmlType.F32, new Shape(9), MemorySegment.ofArray(new byte[36]))
        .tensor("b", GgmlType.F32, new Shape(8), MemorySegment.ofArray(new byte[32]))
        .write(
            folder.resolve("progress.gguf"),
            (bytes, total) -> {
              assertEquals(96, total);
              seen.add(bytes);
            });
    assertEquals(List.of(36L, 96L, 96L), seen);
  }

  @Test
  void namesAndShapesThatDoNotFitAreRefused() {
    GgufWriter writer = new GgufWriter().put("k", GgufValue.of(1));
    MemorySegment none = MemorySegment.ofArray(new byte[0]);
    assertThrows(IllegalArgumentException.class, () -> writer.put("k", GgufValue.of(2)));
    assertThrows(
        IllegalArgumentException.class, () -> writer.put("general.alignment", GgufValue.of(64)));
    assertThrows(
        IllegalArgumentException.class,
        () -> writer.tensor("a", GgmlType.Q8_0, new Shape(4, 16), none));
    assertThrows(
        IllegalArgumentException.class,
        () -> writer.tensor("a", GgmlType.F32, new Shape(1, 1, 1, 1, 1), none));
    writer.tensor("a", GgmlType.F32, new Shape(4), none);
    assertThrows(
        IllegalArgumentException.class, () -> writer.tensor("a", GgmlType.F32, new Shape(4), none));
    IllegalStateException wrongLength =
        assertThrows(
            IllegalStateException.class, () -> writer.write(folder.resolve("x.gguf"), SILENT));
    assertEquals("tensor a: expected 16 bytes, got 0", wrongLength.getMessage());
  }
}
