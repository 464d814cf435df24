package dev.gdn.model.safetensors;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.gdn.core.tensor.DataType;
import dev.gdn.core.tensor.Shape;
import dev.gdn.core.tensor.StoredTensor;
import dev.gdn.model.error.CheckpointException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

class SafetensorsRoundTripTest {
  @TempDir Path folder;

  @Test
  void valuesComeBackBitForBit() throws IOException {
    float[] floats = {1.5f, -0f, Float.NaN, Float.NEGATIVE_INFINITY, Float.MIN_VALUE, 3e38f};
    long[] longs = {Long.MIN_VALUE, -1, Long.MAX_VALUE};
    int[] ints = {Integer.MIN_VALUE, 7};
    Path file = folder.resolve("a.safetensors");
    new SafetensorsWriter()
        .metadata("källa", "naïve \"test\"\n")
        .add("ints", new Shape(2), ints)
        .add("floats", new Shape(2, 3), floats)
        .add("longs", new Shape(3, 1), longs)
        .add("scalar", new Shape(), new float[] {42})
        .add("empty", new Shape(0, 5), new float[0])
        .write(file);
    try (SafetensorsFile read = SafetensorsFile.open(file)) {
      assertEquals(Map.of("källa", "naïve \"test\"\n"), read.metadata());
      assertArrayEquals(floats, read.tensor("floats").toFloats());
      assertArrayEquals(longs, read.tensor("longs").toLongs());
      assertArrayEquals(new long[] {Integer.MIN_VALUE, 7}, read.tensor("ints").toLongs());
      assertArrayEquals(new double[] {42}, read.tensor("scalar").toDoubles());
      assertArrayEquals(new float[0], read.tensor("empty").toFloats());
      assertEquals(new Shape(2, 3), read.tensor("floats").shape());
      assertEquals(new Shape(), read.tensor("scalar").shape());
      assertEquals(
          List.of("longs", "ints", "floats", "scalar", "empty"),
          List.copyOf(read.tensors().keySet()),
          "larger elements go first");
    }
  }

  /** As other writers do it: the header may name tensors in any order. */
  @Test
  void tensorsMayLieInAnotherOrderThanTheHeaderHas() throws IOException {
    String entry = "\"%s\":{\"dtype\":\"U8\",\"shape\":[%d],\"data_offsets\":[%d,%d]}";
    String header = "{" + entry.formatted("b", 2, 3, 5) + "," + entry.formatted("a", 3, 0, 3) + "}";
    byte[] bytes = RawFile.bytes(header, 5);
    bytes[bytes.length - 1] = 7;
    Path file = RawFile.write(folder, bytes);
    try (SafetensorsFile read = SafetensorsFile.open(file)) {
      assertEquals(file, read.path());
      assertEquals(List.of("b", "a"), List.copyOf(read.tensors().keySet()));
      assertArrayEquals(new long[] {0, 7}, read.tensor("b").toLongs());
    }
  }

  @Test
  void dataLongerThanTheBufferAreComplete() throws IOException {
    float[] floats = new float[100_003];
    for (int i = 0; i < floats.length; i++) {
      floats[i] = i;
    }
    Path file = folder.resolve("long.safetensors");
    new SafetensorsWriter().add("x", new Shape(floats.length), floats).write(file);
    try (SafetensorsFile read = SafetensorsFile.open(file)) {
      assertArrayEquals(floats, read.tensor("x").toFloats());
    }
  }

  @Test
  void everyTypeIsReadAsItIsMeant() throws IOException {
    ByteBuffer wide = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
    wide.putDouble(0, Math.PI).putDouble(8, -1e300);
    byte[] small = {(byte) 0xFF, 0x3F, 0x00, (byte) 0xC0};
    ByteBuffer longs = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
    longs.putLong(8, Long.MAX_VALUE);
    Path file = folder.resolve("types.safetensors");
    new SafetensorsWriter()
        .add("F64", SafetensorsType.F64, new Shape(2), MemorySegment.ofArray(wide.array()))
        .add("BF16", SafetensorsType.BF16, new Shape(2), MemorySegment.ofArray(small))
        .add("F16", SafetensorsType.F16, new Shape(2), MemorySegment.ofArray(small))
        .add("I8", SafetensorsType.I8, new Shape(4), MemorySegment.ofArray(small))
        .add("U8", SafetensorsType.U8, new Shape(4), MemorySegment.ofArray(small))
        .add("I16", SafetensorsType.I16, new Shape(2), MemorySegment.ofArray(small))
        .add("U16", SafetensorsType.U16, new Shape(2), MemorySegment.ofArray(small))
        .add("U32", SafetensorsType.U32, new Shape(1), MemorySegment.ofArray(small))
        .add("U64", SafetensorsType.U64, new Shape(2), MemorySegment.ofArray(longs.array()))
        .write(file);
    try (SafetensorsFile read = SafetensorsFile.open(file)) {
      assertArrayEquals(new double[] {Math.PI, -1e300}, read.tensor("F64").toDoubles());
      assertArrayEquals(
          new float[] {(float) Math.PI, Float.NEGATIVE_INFINITY}, read.tensor("F64").toFloats());
      assertArrayEquals(
          new float[] {Float.intBitsToFloat(0x3FFF0000), -2}, read.tensor("BF16").toFloats());
      assertArrayEquals(
          new double[] {Float.float16ToFloat((short) 0x3FFF), -2}, read.tensor("F16").toDoubles());
      assertArrayEquals(new long[] {-1, 63, 0, -64}, read.tensor("I8").toLongs());
      assertArrayEquals(new long[] {255, 63, 0, 192}, read.tensor("U8").toLongs());
      assertArrayEquals(new long[] {0x3FFF, -0x4000}, read.tensor("I16").toLongs());
      assertArrayEquals(new long[] {0x3FFF, 0xC000}, read.tensor("U16").toLongs());
      assertArrayEquals(new long[] {0xC0003FFFL}, read.tensor("U32").toLongs());
      assertArrayEquals(new long[] {0, Long.MAX_VALUE}, read.tensor("U64").toLongs());
      StoredTensor stored = read.tensor("BF16").toStored();
      assertEquals(DataType.BF16, stored.type());
      assertEquals("BF16", stored.name());
    }
  }

  @Test
  void aConversionThatWouldLoseTheMeaningIsRefused() throws IOException {
    Path file = folder.resolve("a.safetensors");
    new SafetensorsWriter()
        .add("ids", new Shape(1), new long[] {1})
        .add("x", new Shape(1), new float[] {1})
        .add(
            "big",
            SafetensorsType.U64,
            new Shape(1),
            MemorySegment.ofArray(new byte[] {0, 0, 0, 0, 0, 0, 0, (byte) 0x80}))
        .write(file);
    try (SafetensorsFile read = SafetensorsFile.open(file)) {
      assertMessage(
          file + ": tensor ids: expected type F32, F16 or BF16, found I64",
          () -> read.tensor("ids").toStored());
      assertMessage(
          file + ": tensor ids: expected type F64, F32, F16 or BF16, found I64",
          () -> read.tensor("ids").toFloats());
      assertMessage(
          file + ": tensor x: expected an integer type, found F32",
          () -> read.tensor("x").toLongs());
      assertMessage(
          file + ": tensor big: element 0: expected at most 2^63 - 1, found 9223372036854775808",
          () -> read.tensor("big").toLongs());
      assertMessage(file + ": tensor y: missing", () -> read.tensor("y"));
    }
  }

  private static void assertMessage(String message, Executable executable) {
    assertEquals(message, assertThrows(CheckpointException.class, executable).getMessage());
  }

  @Test
  void tensorsAreGoneAfterClose() throws IOException {
    Path file = folder.resolve("a.safetensors");
    new SafetensorsWriter().add("x", new Shape(1), new float[] {1}).write(file);
    SafetensorsFile read = SafetensorsFile.open(file);
    SafetensorsTensor tensor = read.tensor("x");
    read.close();
    read.close();
    assertThrows(IllegalStateException.class, tensor::toFloats);
  }

  @Test
  void aGivenArenaDecidesWhenTensorsAreGone() throws IOException {
    Path file = folder.resolve("a.safetensors");
    new SafetensorsWriter().add("x", new Shape(1), new float[] {1}).write(file);
    SafetensorsTensor tensor;
    try (Arena arena = Arena.ofShared()) {
      SafetensorsFile read = SafetensorsFile.open(file, arena);
      tensor = read.tensor("x");
      read.close();
      assertArrayEquals(new float[] {1}, tensor.toFloats());
    }
    assertThrows(IllegalStateException.class, tensor::toFloats);
  }

  @Test
  void tensorsAreAlignedToTheirElements() throws IOException {
    Path file = folder.resolve("a.safetensors");
    new SafetensorsWriter()
        .add("b", SafetensorsType.U8, new Shape(3), MemorySegment.ofArray(new byte[3]))
        .add("f", new Shape(1), new float[1])
        .add("l", new Shape(1), new long[1])
        .write(file);
    try (SafetensorsFile read = SafetensorsFile.open(file)) {
      for (SafetensorsTensor tensor : read.tensors().values()) {
        assertEquals(0, tensor.data().address() % tensor.type().bytes(), tensor.name());
      }
    }
  }

  @Test
  void aFileIsReplacedWholeAndNothingElseIsLeft() throws IOException {
    Path file = folder.resolve("a.safetensors");
    new SafetensorsWriter().add("x", new Shape(1), new float[] {1}).write(file);
    new SafetensorsWriter().add("x", new Shape(1), new float[] {2}).write(file);
    try (SafetensorsFile read = SafetensorsFile.open(file);
        Stream<Path> files = Files.list(folder)) {
      assertArrayEquals(new float[] {2}, read.tensor("x").toFloats());
      assertEquals(List.of(file), files.toList());
    }
    Path nowhere = folder.resolve("missing").resolve("a.safetensors");
    assertThrows(NoSuchFileException.class, () -> new SafetensorsWriter().write(nowhere));
  }

  @Test
  void theWriterRefusesWhatTheReaderWould() {
    SafetensorsWriter writer = new SafetensorsWriter().add("x", new Shape(1), new float[1]);
    assertThrows(IllegalArgumentException.class, () -> writer.add("x", new Shape(1), new float[1]));
    assertThrows(IllegalArgumentException.class, () -> writer.add("y", new Shape(2), new float[1]));
    assertThrows(
        IllegalArgumentException.class,
        () -> writer.add("__metadata__", new Shape(1), new float[1]));
  }
}
