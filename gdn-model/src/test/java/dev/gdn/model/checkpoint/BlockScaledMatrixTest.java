package dev.gdn.model.checkpoint;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.gdn.core.concurrent.Workers;
import dev.gdn.core.tensor.DataType;
import dev.gdn.core.tensor.Shape;
import dev.gdn.core.tensor.WeightMatrix;
import dev.gdn.model.config.BlockScaling;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.StringJoiner;
import org.junit.jupiter.api.Test;

class BlockScaledMatrixTest {
  /** In E4M3 the number 1. */
  private static final byte ONE = 0x38;

  /** Of ones, so that an element is the scale of its block: the block's number. */
  private static BlockScaledMatrix ones(Shape shape, BlockScaling block) {
    byte[] codes = new byte[Math.toIntExact(shape.elements())];
    Arrays.fill(codes, ONE);
    float[] scales =
        new float[Math.toIntExact(BlockScaledMatrix.scalesOf(shape, block).elements())];
    for (int i = 0; i < scales.length; i++) {
      scales[i] = i;
    }
    return new BlockScaledMatrix("a", shape, MemorySegment.ofArray(codes), scales, block);
  }

  /** Blocks of two rows and three columns; the last of a matrix are cut off. */
  @Test
  void everyMatrixOfAStackHasBlocksOfItsOwn() {
    Shape shape = new Shape(2, 3, 5);
    BlockScaling block = new BlockScaling(2, 3);
    assertEquals(new Shape(2, 2, 2), BlockScaledMatrix.scalesOf(shape, block));
    BlockScaledMatrix stack = ones(shape, block);
    float[][] expected = {
      {0, 0, 0, 1, 1}, {0, 0, 0, 1, 1}, {2, 2, 2, 3, 3},
      {4, 4, 4, 5, 5}, {4, 4, 4, 5, 5}, {6, 6, 6, 7, 7}
    };
    float[] row = new float[5];
    for (int r = 0; r < expected.length; r++) {
      stack.fill(r, row);
      assertArrayEquals(expected[r], row, "row " + r);
    }
  }

  /** Progress is told after every 512 rows. */
  @Test
  void packedRowsStandInTheirPlaces() {
    int rows = 1100;
    BlockScaledMatrix matrix = ones(new Shape(rows, 64), new BlockScaling(10, 32));
    assertEquals(DataType.F8_E4M3, matrix.type());
    byte[] packed = new byte[Math.toIntExact(DataType.F8_E4M3.bytes(rows * 64L))];
    StringJoiner progress = new StringJoiner(" ");
    matrix.pack(
        MemorySegment.ofArray(packed), Workers.shared(), done -> progress.add(Long.toString(done)));
    assertEquals("512 1024 1100", progress.toString());
    WeightMatrix weights =
        new WeightMatrix("a", DataType.F8_E4M3, rows, 64, MemorySegment.ofArray(packed));
    float[] expected = new float[64];
    float[] actual = new float[64];
    for (int row = 0; row < rows; row++) {
      matrix.fill(row, expected);
      weights.decodeRow(row, actual, 0);
      assertArrayEquals(expected, actual, "row " + row);
    }
  }
}
