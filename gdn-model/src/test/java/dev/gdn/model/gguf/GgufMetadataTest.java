package dev.gdn.model.gguf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.gdn.model.error.CheckpointException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a message shows of a value that is not of the type that is wanted. */
class GgufMetadataTest {
  private static final GgufMetadata METADATA =
      new GgufMetadata(
          Path.of("a.gguf"),
          Map.of(
              "whole", new GgufValue.Whole(GgufValueType.UINT32, 65_535),
              "huge", new GgufValue.Whole(GgufValueType.UINT64, -1),
              "real", GgufValue.of(0.5),
              "flag", GgufValue.of(true),
              "text", GgufValue.of("32"),
              "items", GgufValue.of(GgufArray.ofInts(1))));

  private static void assertFound(String key, String found, Executable reading) {
    String message = assertThrows(CheckpointException.class, reading).getMessage();
    assertEquals(found, message.substring(message.indexOf("found ")), key);
    assertEquals("a.gguf: " + key, message.substring(0, message.lastIndexOf(": ")));
  }

  @ParameterizedTest
  @CsvSource({
    "whole, found UINT32 65535",
    "huge, found UINT64 18446744073709551615",
    "real, found FLOAT32 0.5",
    "flag, found BOOL true",
    "text, 'found STRING \"32\"'",
    "items, found an array"
  })
  void everyKindOfValueIsShownAsTheFileHasIt(String key, String found) {
    if (!key.equals("text")) {
      assertFound(key, found, () -> METADATA.text(key));
    }
    if (!key.equals("whole") && !key.equals("huge")) {
      assertFound(key, found, () -> METADATA.whole(key, 0, 1));
    }
    if (!key.equals("real")) {
      assertFound(key, found, () -> METADATA.real(key));
    }
    if (!key.equals("flag")) {
      assertFound(key, found, () -> METADATA.findFlag(key));
    }
    if (!key.equals("items")) {
      assertFound(key, found, () -> METADATA.array(key));
    }
  }

  @Test
  void valuesOfTheWantedTypeAreGiven() {
    assertEquals(65_535, METADATA.whole("whole", 0, 65_535));
    assertEquals(0.5, METADATA.real("real"));
    assertEquals(Optional.of(true), METADATA.findFlag("flag"));
    assertEquals("32", METADATA.text("text"));
    assertEquals(1, METADATA.array("items").length());
  }

  @Test
  void whatIsMissingIsNamed() {
    assertEquals(Optional.empty(), METADATA.findFlag("a"));
    assertMissing("a number", () -> METADATA.real("a"));
    assertMissing("a string", () -> METADATA.text("a"));
    assertMissing("an array", () -> METADATA.array("a"));
    assertMissing("an integer", () -> METADATA.whole("a", 0, 1));
  }

  private static void assertMissing(String expected, Executable reading) {
    String message = assertThrows(CheckpointException.class, reading).getMessage();
    assertEquals("a.gguf: a: missing, expected " + expected, message);
  }

  @Test
  void aNumberOutOfRangeIsShownAlone() {
    assertFound("huge", "found 18446744073709551615", () -> METADATA.whole("huge", 0, 9));
  }
}
