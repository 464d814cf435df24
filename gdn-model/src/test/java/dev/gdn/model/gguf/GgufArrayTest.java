package dev.gdn.model.gguf;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GgufArrayTest {
  /** The bytes of the three elements are 01 02 …, then all ones, then all zeros. */
  @ParameterizedTest
  @CsvSource({
    "UINT8, 1, 1, 255",
    "INT8, 1, 1, -1",
    "UINT16, 2, 513, 65535",
    "INT16, 2, 513, -1",
    "UINT32, 4, 67305985, 4294967295",
    "INT32, 4, 67305985, -1",
    "UINT64, 8, 578437695752307201, -1",
    "INT64, 8, 578437695752307201, -1"
  })
  void integersOfEveryTypeAreRead(GgufValueType type, int bytes, long first, long second) {
    byte[] data = new byte[3 * bytes];
    for (int i = 0; i < bytes; i++) {
      data[i] = (byte) (i + 1);
      data[bytes + i] = -1;
    }
    GgufArray array = new GgufArray(type, 3, MemorySegment.ofArray(data));
    assertArrayEquals(new long[] {first, second, 0}, array.longs());
  }

  @Test
  void textsAreFoundWhereTheyStand() {
    GgufArray array =
        GgufArray.ofStrings(List.of("a", "", "世", "b", "abc", "a", "aa", "abd", "世界"));
    assertEquals(List.of(0, 2, 5), array.indicesOf(Set.of("世", "a", "c")));
    assertEquals(List.of(1, 7), array.indicesOf(Set.of("", "abd")));
    assertEquals(List.of(), array.indicesOf(Set.of()));
  }

  private static void assertRefused(String message, Executable reading) {
    assertEquals(message, assertThrows(IllegalStateException.class, reading).getMessage());
  }

  @Test
  void elementsOfAnotherTypeAreRefused() {
    GgufArray integers = GgufArray.ofInts(1);
    GgufArray flags = GgufArray.ofBooleans(true);
    assertRefused("expected strings, found INT32", integers::strings);
    assertRefused("expected strings, found BOOL", () -> flags.indicesOf(Set.of("a")));
    assertRefused("expected truth values, found INT32", integers::booleans);
    assertRefused("expected integers, found BOOL", flags::longs);
  }
}
