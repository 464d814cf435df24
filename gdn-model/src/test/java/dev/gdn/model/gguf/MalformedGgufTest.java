package dev.gdn.model.gguf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gdn.model.error.CheckpointException;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MalformedGgufTest {
  private static final int F32 = GgmlType.F32.id();
  private static final int Q8 = GgmlType.Q8_0.id();

  @TempDir Path folder;

  private void assertRefused(RawGguf raw, String subject, String problem) throws IOException {
    Path file = raw.write(folder);
    CheckpointException refusal =
        assertThrows(CheckpointException.class, () -> GgufFile.open(file).close());
    assertEquals(file, refusal.file());
    assertEquals(subject, refusal.subject());
    assertTrue(refusal.getMessage().contains(problem), refusal.getMessage());
  }

  @Test
  void noFile() {
    CheckpointException refusal =
        assertThrows(
            CheckpointException.class, () -> GgufFile.open(folder.resolve("none")).close());
    assertTrue(refusal.getMessage().contains("no such file"), refusal.getMessage());
  }

  @Test
  void anotherMagic() throws IOException {
    assertRefused(
        new RawGguf().text("GGML").int32(3).int64(0).int64(0),
        "magic",
        "expected the bytes GGUF, found 47474d4c");
  }

  @Test
  void aFileThatEndsInItsHeader() throws IOException {
    assertRefused(new RawGguf(), "magic", "found the end of the file at 0");
    assertRefused(new RawGguf().text("GGUF"), "version", "found the end of the file at 4");
    assertRefused(
        new RawGguf().text("GGUF").int32(3).int32(0), "tensors", "found the end of the file at 12");
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "1, 1", "4, 4", "99, 99", "-1, 4294967295"})
  void anotherVersion(int version, String shown) throws IOException {
    assertRefused(
        new RawGguf().text("GGUF").int32(version).int64(0).int64(0),
        "version",
        "expected 2 or 3, found " + shown);
  }

  @Test
  void aBigEndianFile() throws IOException {
    assertRefused(
        new RawGguf().text("GGUF").raw(0, 0, 0, 3).int64(0).int64(0),
        "version",
        "found 3 in a big-endian file");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 1L << 31, 1L << 60, Long.MAX_VALUE, -1})
  void moreTensorsOrEntriesThanTheFileHolds(long count) throws IOException {
    assertRefused(RawGguf.start(count, 0), "tensors", "found " + Long.toUnsignedString(count));
    assertRefused(RawGguf.start(0, count), "metadata", "found " + Long.toUnsignedString(count));
  }

  @ParameterizedTest
  @ValueSource(longs = {100, 1L << 31, 1L << 60, Long.MAX_VALUE, -1})
  void aStringLongerThanTheFile(long length) throws IOException {
    assertRefused(
        RawGguf.start(0, 1).int64(length).data(32),
        "metadata key 0",
        "string length: expected at most ");
    assertRefused(
        RawGguf.start(0, 1).string("k").int32(8).int64(length).raw(1, 2, 3),
        "k",
        "string length: expected at most 3, found " + Long.toUnsignedString(length));
    assertRefused(
        RawGguf.start(1, 0).int64(length).data(32),
        "name of tensor 0",
        "string length: expected at most ");
  }

  @Test
  void aStringThatIsNoUtf8() throws IOException {
    assertRefused(
        RawGguf.start(0, 1).string("k").int32(8).int64(1).raw(0xC3), "k", "expected UTF-8");
  }

  @ParameterizedTest
  @CsvSource({"13, 13", "-1, 4294967295"})
  void anUnknownTypeOfValue(int type, String shown) throws IOException {
    assertRefused(
        RawGguf.start(0, 1).string("k").int32(type).int64(0),
        "k",
        "value type: expected 0 to 12, found " + shown);
    assertRefused(
        RawGguf.start(0, 1).string("k").int32(9).int32(type).int64(0),
        "k",
        "value type: expected 0 to 12, found " + shown);
  }

  @Test
  void aBoolThatIsNone() throws IOException {
    assertRefused(RawGguf.start(0, 1).string("k").int32(7).raw(2), "k", "expected 0 or 1");
    assertRefused(
        RawGguf.start(0, 1).string("k").int32(9).int32(7).int64(3).raw(0, 1, 255),
        "k",
        "expected 0 or 1 for a BOOL, found -1");
  }

  @Test
  void aValueThatTheFileCutsOff() throws IOException {
    assertRefused(RawGguf.start(0, 1).string("k").int32(10).int32(0), "k", "expected 8 more bytes");
  }

  @ParameterizedTest
  @ValueSource(longs = {3, 1L << 31, 1L << 62, Long.MAX_VALUE, -1})
  void anArrayLongerThanTheFile(long count) throws IOException {
    for (GgufValueType type :
        new GgufValueType[] {GgufValueType.UINT64, GgufValueType.STRING, GgufValueType.FLOAT64}) {
      assertRefused(
          RawGguf.start(0, 1).string("k").int32(9).int32(type.id()).int64(count).int64(0).int64(0),
          "k",
          "count: expected at most 2 in the 16 bytes left, found " + Long.toUnsignedString(count));
    }
  }

  @Test
  void anArrayWhoseLastStringTheFileCutsOff() throws IOException {
    assertRefused(
        RawGguf.start(0, 1).string("k").int32(9).int32(8).int64(2).string("abcdefgh").int64(1),
        "k",
        "string length: expected at most 0, found 1");
  }

  @Test
  void anArrayOfArrays() throws IOException {
    assertRefused(
        RawGguf.start(0, 1).string("k").int32(9).int32(9).int64(1).int32(9).int64(1),
        "k",
        "found one of arrays");
  }

  @Test
  void aKeyThatStandsTwice() throws IOException {
    assertRefused(RawGguf.start(0, 2).entry("k", 1).entry("k", 1), "k", "found the key twice");
  }

  @Test
  void aLongNameIsShortenedInMessages() throws IOException {
    for (int length : new int[] {100, 101}) {
      String name = "n".repeat(length);
      assertRefused(
          RawGguf.start(1, 0).string(name).int32(0).data(128),
          "tensor " + (length == 100 ? name : "n".repeat(100) + "…"),
          "dimensions: expected 1 to 4, found 0");
    }
  }

  @Test
  void anIntegerOutOfRangeIsShownAsItIsStored() throws IOException {
    Path file =
        RawGguf.start(0, 2)
            .string("u")
            .int32(GgufValueType.UINT64.id())
            .int64(-1)
            .string("i")
            .int32(GgufValueType.INT64.id())
            .int64(-1)
            .write(folder);
    try (GgufFile opened = GgufFile.open(file)) {
      GgufMetadata metadata = opened.metadata();
      assertEquals(
          file + ": u: expected 0 to 9, found 18446744073709551615",
          assertThrows(CheckpointException.class, () -> metadata.whole("u", 0, 9)).getMessage());
      assertEquals(
          file + ": i: expected 0 to 9, found -1",
          assertThrows(CheckpointException.class, () -> metadata.whole("i", 0, 9)).getMessage());
    }
  }

  @Test
  void aTensorThatStandsTwice() throws IOException {
    assertRefused(
        RawGguf.start(2, 0).tensor("a", F32, 0, 8).tensor("a", F32, 32, 8).data(64),
        "tensor a",
        "found the name twice");
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "5, 5", "-1, 4294967295"})
  void tooFewOrTooManyDimensions(int rank, String shown) throws IOException {
    assertRefused(
        RawGguf.start(1, 0).string("a").int32(rank).data(128),
        "tensor a",
        "dimensions: expected 1 to 4, found " + shown);
  }

  @ParameterizedTest
  @CsvSource({
    "4294967296, 4294967296",
    "9223372036854775807, 2",
    "-1, 1",
    "-1, -1",
    "3037000500, 3037000500"
  })
  void dimensionsThatOverflow(long inner, long outer) throws IOException {
    assertRefused(
        RawGguf.start(1, 0).tensor("a", F32, 0, inner, outer).data(64),
        "tensor a",
        "dimensions: expected sizes of at least 0 and at most 2^63 - 1 elements");
  }

  @Test
  void bytesThatOverflow() throws IOException {
    assertRefused(
        RawGguf.start(1, 0).tensor("a", F32, 0, 1L << 40, 1L << 22).data(64),
        "tensor a",
        "expected at most 2^63 - 1 bytes");
  }

  @ParameterizedTest
  @CsvSource({"4, 4", "31, 31", "1000, 1000", "-1, 4294967295"})
  void anUnknownTypeOfTensor(int type, String shown) throws IOException {
    assertRefused(
        RawGguf.start(1, 0).tensor("a", type, 0, 32).data(128),
        "tensor a",
        "type: expected a known one, found number " + shown);
  }

  @Test
  void aRowThatIsNoWholeNumberOfBlocks() throws IOException {
    assertRefused(
        RawGguf.start(1, 0).tensor("a", Q8, 0, 16, 2).data(34),
        "tensor a",
        "expected rows of a multiple of 32 elements for Q8_0, found [2, 16]");
  }

  @ParameterizedTest
  @ValueSource(longs = {4, 32, 64, 1L << 40, -32})
  void aFirstOffsetThatIsNotZero(long offset) throws IOException {
    assertRefused(
        RawGguf.start(1, 0).tensor("a", F32, offset, 8).data(96),
        "tensor a",
        "offset: expected 0, found " + Long.toUnsignedString(offset));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 4, 40, 96, -64})
  void offsetsThatAreUnalignedOverlappingOrOutOfOrder(long offset) throws IOException {
    assertRefused(
        RawGguf.start(2, 0).tensor("a", F32, 0, 9).tensor("b", F32, offset, 8).data(256),
        "tensor b",
        "offset: expected 64, found " + Long.toUnsignedString(offset));
  }

  @Test
  void aTensorShortOfItsBytes() throws IOException {
    RawGguf short1 = RawGguf.start(1, 0).tensor("a", F32, 0, 8).data(31);
    assertRefused(short1, "tensor a", "expected 32 bytes from 64 on, found the end of the file");
    assertRefused(
        RawGguf.start(2, 0).tensor("a", F32, 0, 8).tensor("b", F32, 32, 8).data(32),
        "tensor b",
        "expected 32 bytes from 128 on, found the end of the file at 128");
    assertRefused(
        RawGguf.start(1, 0).tensor("a", F32, 0, 8), "data", "found the end of the file at");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 3, 24, 33, -1})
  void anAlignmentThatIsNoPowerOfTwo(int alignment) throws IOException {
    assertRefused(
        RawGguf.start(0, 1).entry("general.alignment", alignment),
        "general.alignment",
        "expected a power of two as UINT32");
  }

  @Test
  void anAlignmentOfAnotherType() throws IOException {
    assertRefused(
        RawGguf.start(0, 1).string("general.alignment").int32(10).int64(32),
        "general.alignment",
        "expected a power of two as UINT32");
  }

  @Test
  void anAlignmentLargerThanTheFile() throws IOException {
    assertRefused(
        RawGguf.start(1, 1).entry("general.alignment", 1 << 31).tensor("a", F32, 0, 8).data(32),
        "data",
        "expected at byte 2147483648");
  }

  @Test
  void whatIsRefusedAboveIsAcceptedWhenPutRight() throws IOException {
    Path file =
        RawGguf.start(2, 1)
            .entry("general.alignment", 32)
            .tensor("a", F32, 0, 9)
            .tensor("b", Q8, 64, 32, 2)
            .data(64 + 68)
            .write(folder);
    try (GgufFile opened = GgufFile.open(file)) {
      assertEquals("[2, 32]", opened.tensors().get("b").shape().toString());
    }
  }
}
