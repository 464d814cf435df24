package dev.gdn.kernels.vector;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.gdn.core.tensor.DataType;
import dev.gdn.core.tensor.WeightMatrix;
import dev.gdn.kernels.RandomBlocks;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StoredRowsTest {
  // Whatever the bits, also scales that are infinite or no numbers.
  @ParameterizedTest
  @EnumSource
  void decodesAsThePlainLoopDoes(DataType type) {
    SplittableRandom random = new SplittableRandom(1);
    int columns = type.blockElements() == 1 ? 71 : 7 * type.blockElements();
    StoredRows rows = StoredRows.of(type);
    for (int i = 0; i < 8; i++) {
      MemorySegment data = RandomBlocks.ofAnyBits(random, 2 * type.bytes(columns));
      WeightMatrix matrix = new WeightMatrix("test", type, 2, columns, data);
      float[] expected = new float[columns + 3];
      float[] actual = new float[columns + 3];

      matrix.decodeRow(1, expected, 3);
      rows.decode(data, matrix.rowBytes(), actual, 3, columns);

      assertSame(expected, actual);
    }
  }

  @ParameterizedTest
  @EnumSource
  void dotsAreTheSumsOfProducts(DataType type) {
    SplittableRandom random = new SplittableRandom(2);
    StoredRows rows = StoredRows.of(type);
    for (int blocks : new int[] {1, 2, 5, 32, 33, 128}) {
      int columns = blocks * type.blockElements();
      WeightMatrix matrix = RandomWeights.matrix(type, 1 + RowSums.MOST, columns, blocks);
      float[] x = new float[columns + 3];
      for (int i = 0; i < x.length; i++) {
        x[i] = (float) random.nextGaussian();
      }
      RowSums sums = new RowSums();
      long bytes = matrix.rowBytes();

      rows.dots(matrix.data(), bytes, bytes, RowSums.MOST, x, 3, columns, sums.lanes());

      float[] actual = sums.sums();
      for (int row = 0; row < RowSums.MOST; row++) {
        assertDot(matrix, row + 1, x, actual[row]);
      }
    }
  }

  // What a row gives may not depend on where work is cut into parts.
  @ParameterizedTest
  @EnumSource
  void aRowGivesTheSameAloneAndAmongOthers(DataType type) {
    StoredRows rows = StoredRows.of(type);
    int columns = 256 * 4;
    WeightMatrix matrix = RandomWeights.matrix(type, RowSums.MOST, columns, 4);
    long bytes = matrix.rowBytes();
    float[] x = new float[columns];
    SplittableRandom random = new SplittableRandom(4);
    for (int i = 0; i < columns; i++) {
      x[i] = (float) random.nextGaussian();
    }
    RowSums sums = new RowSums();
    rows.dots(matrix.data(), 0, bytes, RowSums.MOST, x, 0, columns, sums.lanes());
    float[] together = sums.sums().clone();
    for (int row = 0; row < RowSums.MOST; row++) {
      rows.dots(matrix.data(), row * bytes, bytes, 1, x, 0, columns, sums.lanes());

      assertEquals(together[row], sums.sums()[0], type + " row " + row);
    }
  }

  private static void assertDot(WeightMatrix matrix, int index, float[] x, float actual) {
    float[] row = new float[matrix.columns()];
    matrix.decodeRow(index, row, 0);
    double expected = 0;
    double size = 0;
    for (int i = 0; i < row.length; i++) {
      expected += (double) row[i] * x[i + 3];
      size += Math.abs(row[i] * x[i + 3]);
    }
    assertEquals(expected, actual, 1e-6 * size, matrix.type() + " x " + row.length);
  }

  @Test
  void knowsEveryBinary16() {
    byte[] bytes = new byte[2 << 16];
    float[] expected = new float[1 << 16];
    for (int i = 0; i < 1 << 16; i++) {
      bytes[2 * i] = (byte) i;
      bytes[2 * i + 1] = (byte) (i >> 8);
      expected[i] = Float.float16ToFloat((short) i);
    }
    float[] actual = new float[1 << 16];

    StoredRows.of(DataType.F16).decode(MemorySegment.ofArray(bytes), 0, actual, 0, 1 << 16);

    assertSame(expected, actual);
  }

  /** To the bit, but for which NaN it is. */
  private static void assertSame(float[] expected, float[] actual) {
    for (int i = 0; i < expected.length; i++) {
      if (Float.isNaN(expected[i]) && Float.isNaN(actual[i])) {
        actual[i] = expected[i];
      }
    }
    assertArrayEquals(expected, actual);
  }
}
