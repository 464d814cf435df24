package dev.gdn.core.tensor;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RowGroupsTest {
  private static final int COLUMNS = 96;
  private static final int ROW_BYTES = COLUMNS / 32 * 18;

  @Test
  void everyByteOfARowStandsBesideThatOfTheNext() {
    byte[] rows = random(64 * ROW_BYTES);
    byte[] groups = new byte[rows.length];
    RowGroups.arrange(matrix(rows, 64), groups, 0, 2);
    for (int row = 0; row < 64; row++) {
      int group = row / 32 * 32 * ROW_BYTES;
      for (int block = 0; block < 3; block++) {
        int stored = row * ROW_BYTES + block * 18;
        int scale = group + (block * 32 + row % 32) * 2;
        assertEquals(rows[stored], groups[scale]);
        assertEquals(rows[stored + 1], groups[scale + 1]);
        for (int i = 0; i < 16; i++) {
          int at = group + 3 * 64 + (block * 16 + i) * 32 + row % 32;
          assertEquals(rows[stored + 2 + i], groups[at], row + " " + block + " " + i);
        }
      }
    }
  }

  @Test
  void rowsDecodeToTheSameNumbersAndSoDoSlices() {
    WeightMatrix source = matrix(random(96 * ROW_BYTES), 96);
    WeightMatrix groups = arranged(source);
    WeightMatrix slice = groups.slice(32, 64);
    for (int row = 0; row < 96; row++) {
      assertArrayEquals(decoded(source, row), decoded(groups, row));
      if (row >= 32) {
        assertArrayEquals(decoded(source, row), decoded(slice, row - 32));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = DataType.class,
      names = {"Q4_K", "Q5_K", "Q6_K"})
  void blocksOf256ComeApartAndTogetherAgain(DataType type) {
    int rowBytes = (int) type.bytes(512);
    byte[] rows = random(64 * rowBytes);
    WeightMatrix source = new WeightMatrix("w", type, 64, 512, MemorySegment.ofArray(rows));
    WeightMatrix groups = arranged(source);
    for (int row = 0; row < 64; row++) {
      assertArrayEquals(decoded(source, row), decoded(groups, row));
    }
    byte[] all = RowGroups.bytes(groups).clone();
    assertFalse(Arrays.equals(rows, all));
    Arrays.sort(rows);
    Arrays.sort(all);
    assertArrayEquals(rows, all);
  }

  @Test
  void someGroupsLeaveTheOthersAlone() {
    WeightMatrix source = matrix(random(96 * ROW_BYTES), 96);
    byte[] target = new byte[96 * ROW_BYTES];
    RowGroups.arrange(source, target, 1, 1);
    byte[] all = ((byte[]) arranged(source).data().heapBase().orElseThrow()).clone();
    for (int i = 0; i < all.length; i++) {
      boolean second = i >= 32 * ROW_BYTES && i < 64 * ROW_BYTES;
      assertEquals(second ? all[i] : 0, target[i]);
    }
  }

  @Test
  void whatDoesNotComeInGroupsIsRefused() {
    WeightMatrix odd = matrix(random(33 * ROW_BYTES), 33);
    byte[] target = new byte[33 * ROW_BYTES];
    MemorySegment segment = MemorySegment.ofArray(target);
    refused(() -> RowGroups.arrange(odd, target, 0, 1), "33 rows");
    refused(
        () -> new WeightMatrix("w", DataType.Q4_0, 33, COLUMNS, RowLayout.GROUPS, segment),
        "no groups of 32");
    WeightMatrix groups = arranged(matrix(random(64 * ROW_BYTES), 64));
    refused(() -> RowGroups.bytes(matrix(random(64 * ROW_BYTES), 64)), "found ROWS");
    refused(() -> RowGroups.arrange(groups, target, 0, 1), "GROUPS");
    refused(() -> groups.slice(16, 32), "row 16");
    refused(() -> groups.slice(0, 16), "no groups of 32");
    assertThrows(
        IndexOutOfBoundsException.class,
        () -> RowGroups.arrange(matrix(random(32 * ROW_BYTES), 32), target, 0, 2));
    assertArrayEquals(new byte[33 * ROW_BYTES], target);
  }

  @Test
  void wholeGroupsOfOneTypeAreCovered() {
    assertTrue(RowGroups.covers(DataType.Q4_0));
    assertFalse(RowGroups.covers(DataType.Q8_0));
    assertTrue(RowGroups.covers(DataType.Q4_0, 32));
    assertFalse(RowGroups.covers(DataType.Q4_0, 0));
    assertFalse(RowGroups.covers(DataType.Q4_0, 33));
    assertFalse(RowGroups.covers(DataType.Q8_0, 32));
  }

  private static void refused(Runnable call, String part) {
    IllegalArgumentException e = assertThrows(IllegalArgumentException.class, call::run);
    assertTrue(e.getMessage().contains(part), e.getMessage());
  }

  private static WeightMatrix arranged(WeightMatrix source) {
    byte[] data = new byte[(int) source.data().byteSize()];
    RowGroups.arrange(source, data, 0, source.rows() / 32);
    return new WeightMatrix(
        "w",
        source.type(),
        source.rows(),
        source.columns(),
        RowLayout.GROUPS,
        MemorySegment.ofArray(data));
  }

  private static WeightMatrix matrix(byte[] rows, int count) {
    return new WeightMatrix("w", DataType.Q4_0, count, COLUMNS, MemorySegment.ofArray(rows));
  }

  private static byte[] random(int size) {
    byte[] bytes = new byte[size];
    new Random(1).nextBytes(bytes);
    // Scales of ordinary size.
    for (int i = 1; i < size; i += 18) {
      bytes[i] = (byte) (bytes[i] & 0xBB | 0x20);
    }
    return bytes;
  }

  private static float[] decoded(WeightMatrix matrix, int row) {
    float[] values = new float[matrix.columns()];
    matrix.decodeRow(row, values, 0);
    return values;
  }
}
