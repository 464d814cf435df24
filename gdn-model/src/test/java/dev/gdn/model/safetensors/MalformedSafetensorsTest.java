package dev.gdn.model.safetensors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gdn.core.tensor.Shape;
import dev.gdn.model.error.CheckpointException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MalformedSafetensorsTest {
  @TempDir Path folder;

  private CheckpointException refused(byte[] bytes) throws IOException {
    Path file = RawFile.write(folder, bytes);
    CheckpointException refusal =
        assertThrows(CheckpointException.class, () -> SafetensorsFile.open(file).close());
    assertEquals(file, refusal.file());
    return refusal;
  }

  private void assertRefused(byte[] bytes, String subject, String problem) throws IOException {
    CheckpointException refusal = refused(bytes);
    assertEquals(subject, refusal.subject());
    assertTrue(refusal.getMessage().contains(problem), refusal.getMessage());
  }

  @Test
  void aFileOfFewerThanEightBytes() throws IOException {
    assertRefused(new byte[0], "header length", "expected 8 bytes, found a file of 0");
    assertRefused(new byte[7], "header length", "expected 8 bytes, found a file of 7");
  }

  @ParameterizedTest
  @CsvSource({"11", "100000001", "9223372036854775807", "-1", "-9223372036854775808"})
  void aHeaderLongerThanTheFile(long length) throws IOException {
    byte[] bytes = ByteBuffer.allocate(18).order(ByteOrder.LITTLE_ENDIAN).putLong(length).array();
    assertRefused(
        bytes,
        "header length",
        "expected at most 10 in a file of 18 bytes, found " + Long.toUnsignedString(length));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "[]", "7", "null", "\"x\""})
  void aHeaderThatIsNoObject(String header) throws IOException {
    assertRefused(RawFile.bytes(header, 0), "header", "expected a JSON object, found ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{", "{\"a\"}", "{} {}", "{}x", "{\"__metadata__\":{\"a\":\"b\"}"})
  void aHeaderThatIsNoJson(String header) throws IOException {
    assertEquals("header", refused(RawFile.bytes(header, 0)).subject());
  }

  @Test
  void aHeaderThatIsNoUtf8() throws IOException {
    byte[] header = {'{', '"', (byte) 0xC3, '"', ':', '1', '}'};
    assertRefused(RawFile.bytes(header, 0), "header", "expected UTF-8");
  }

  @Test
  void aDeeplyNestedHeader() throws IOException {
    String deep = "{\"a\":{\"shape\":" + "[".repeat(1_000_000) + "]".repeat(1_000_000) + "}}";
    assertRefused(RawFile.bytes(deep, 0), "tensor a", "shape: expected whole numbers");
    refused(RawFile.bytes("[".repeat(1_000_000), 0));
  }

  @Test
  void aNameThatStandsTwice() throws IOException {
    String entry = "\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}";
    assertRefused(RawFile.bytes("{" + entry + "," + entry + "}", 1), "header", "Duplicate");
  }

  @Test
  void metadataThatAreNoStrings() throws IOException {
    assertRefused(
        RawFile.bytes("{\"__metadata__\":{\"step\":7}}", 0),
        "__metadata__.step",
        "expected a string, found 7");
    assertRefused(
        RawFile.bytes("{\"__metadata__\":[]}", 0), "__metadata__", "expected an object, found [");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "7 | expected an object, found 7",
        "{} | dtype is missing",
        "{'dtype':'U8','data_offsets':[0,4]} | shape is missing",
        "{'dtype':'U8','shape':[4]} | data_offsets is missing",
        "{'dtype':'U8','shape':[4],'data_offsets':[0,4],'x':1} | found key x",
        "{'dtype':'F12','shape':[4],'data_offsets':[0,4]} | F64, I64, U64], found F12",
        "{'dtype':4,'shape':[4],'data_offsets':[0,4]} | F64, I64, U64], found 4",
        "{'dtype':'U8','shape':4,'data_offsets':[0,4]} | shape: expected an array, found 4",
        "{'dtype':'U8','shape':[-4],'data_offsets':[0,4]} | to 2^63 - 1, found -4",
        "{'dtype':'U8','shape':[4.0],'data_offsets':[0,4]} | to 2^63 - 1, found 4.0",
        "{'dtype':'U8','shape':['4'],'data_offsets':[0,4]} | to 2^63 - 1, found 4",
        "{'dtype':'U8','shape':[9223372036854775808],'data_offsets':[0,4]} | found 92233720368",
        "{'dtype':'U8','shape':[4294967296,4294967296],'data_offsets':[0,4]} | at most 2^63 - 1",
        "{'dtype':'F64','shape':[1152921504606846976],'data_offsets':[0,4]} | at most 2^63 - 1",
        "{'dtype':'U8','shape':[4],'data_offsets':[0,5]} | within 4 bytes of data, found [0, 5]",
        "{'dtype':'U8','shape':[4],'data_offsets':[4,0]} | within 4 bytes of data, found [4, 0]",
        "{'dtype':'U8','shape':[4],'data_offsets':[-1,3]} | to 2^63 - 1, found -1",
        "{'dtype':'U8','shape':[4],'data_offsets':[0]} | expected a begin and an end",
        "{'dtype':'U8','shape':[4],'data_offsets':[0,2,4]} | expected a begin and an end",
        "{'dtype':'F32','shape':[2],'data_offsets':[0,4]} | F32 [2] takes 8 bytes, but",
        "{'dtype':'F32','shape':[2],'data_offsets':[1,4]} | but data_offsets [1, 4] hold 3",
        "{'dtype':'U8','shape':[3],'data_offsets':[1,4]} | found 1: a hole",
      })
  void aTensorThatCannotBe(String entry, String problem) throws IOException {
    String header = "{\"layer.weight\":" + entry.replace('\'', '"') + "}";
    assertRefused(RawFile.bytes(header, 4), "tensor layer.weight", problem);
  }

  @Test
  void aLongNameIsShortenedInMessages() throws IOException {
    for (int length : new int[] {100, 101}) {
      String name = "n".repeat(length);
      assertRefused(
          RawFile.bytes("{\"" + name + "\":7}", 0),
          "tensor " + (length == 100 ? name : "n".repeat(100) + "…"),
          "expected an object, found 7");
    }
  }

  @Test
  void moreDimensionsThanAnyTensorHas() throws IOException {
    String ones = "1,".repeat(64) + "1";
    String header = "{\"a\":{\"dtype\":\"U8\",\"shape\":[" + ones + "],\"data_offsets\":[0,1]}}";
    assertRefused(RawFile.bytes(header, 1), "tensor a", "expected at most 64 numbers");
  }

  @Test
  void tensorsThatOverlapOrLeaveAHole() throws IOException {
    String pair =
        "{\"a\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[0,4]},"
            + "\"b\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[%d,%d]}}";
    assertRefused(
        RawFile.bytes(pair.formatted(3, 7), 7),
        "tensor b",
        "expected a begin at 4, the end of tensor a, found 3: they overlap");
    assertRefused(RawFile.bytes(pair.formatted(0, 4), 4), "tensor b", "found 0: they overlap");
    assertRefused(RawFile.bytes(pair.formatted(5, 9), 9), "tensor b", "found 5: a hole");
  }

  @Test
  void dataThatNoTensorHas() throws IOException {
    assertRefused(
        RawFile.bytes("{\"a\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[0,4]}}", 5),
        "data",
        "expected 4 bytes, the end of tensor a, found 5");
    assertRefused(RawFile.bytes("{}", 1), "data", "expected 0 bytes");
  }

  @Test
  void aFileThatIsMissingOrAFolder() {
    Path none = folder.resolve("none");
    for (Path path : new Path[] {folder, none}) {
      CheckpointException refusal =
          assertThrows(CheckpointException.class, () -> SafetensorsFile.open(path).close());
      String problem = path.equals(none) ? "no such file" : "expected a file, found a folder";
      assertEquals(path + ": safetensors file: " + problem, refusal.getMessage());
    }
  }

  /** A server that is given one bad file after another keeps none of them. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void aFileThatIsRefusedIsUnmapped() throws IOException {
    refused(RawFile.bytes("[]", 0));
    String mapped = Files.readString(Path.of("/proc/self/maps"));
    assertFalse(mapped.contains(folder.toRealPath().toString()));
  }

  /** Whatever the damage, the reader says so in its own way or reads a file that is valid. */
  @Test
  void everyFlippedBitAndEveryTruncation() throws IOException {
    Path file = folder.resolve("whole.safetensors");
    new SafetensorsWriter()
        .metadata("format", "pt")
        .add("model.norm.weight", new Shape(2), new float[] {1, 2})
        .add("ids", new Shape(1, 2), new long[] {1, 2})
        .write(file);
    byte[] whole = Files.readAllBytes(file);
    int header = whole.length - 24;
    int refusals = 0;
    for (int bit = 0; bit < 8 * header; bit++) {
      byte[] flipped = whole.clone();
      flipped[bit / 8] ^= (byte) (1 << bit % 8);
      try (SafetensorsFile read = SafetensorsFile.open(RawFile.write(folder, flipped))) {
        assertEquals(2, read.tensors().size());
      } catch (CheckpointException expected) {
        refusals++;
      }
    }
    assertTrue(refusals > 4 * header, "most flips must be noticed, found " + refusals);
    for (int length = 0; length < whole.length; length++) {
      refused(Arrays.copyOf(whole, length));
    }
  }
}
