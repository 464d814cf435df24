package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.GroupLanes.HALF_BYTES;
import static dev.gdn.kernels.vector.GroupLanes.ROWS;
import static dev.gdn.kernels.vector.GroupLanes.WIDTH;
import static dev.gdn.kernels.vector.UnpackedGroup.COLUMNS;

import dev.gdn.core.tensor.DataType;
import dev.gdn.core.tensor.RowGroups;
import java.util.Arrays;

/** Groups of rows of GGUF blocks of 256 weights of a few bits: taken apart, then multiplied. */
final class PackedGroups implements GroupedRows {
  private final int span;
  private final int halfBytes;
  private final int blockBytes;
  private final GroupUnpacker unpacker;
  private final UnpackedGroup unpacked;
  private float[] sums = {};

  /**
   * @param span columns that share a scale
   */
  PackedGroups(DataType type, int span, GroupUnpacker unpacker) {
    this.span = span;
    this.halfBytes = RowGroups.halves(type) * HALF_BYTES;
    this.blockBytes = type.blockBytes() * ROWS - halfBytes;
    this.unpacker = unpacker;
    this.unpacked = new UnpackedGroup(span, RowGroups.halves(type) == 2);
  }

  @Override
  public void multiply(
      byte[] data, int from, int columns, float[] x, int xAt, int stride, int tokens, float[] y) {
    addUp(x, xAt, stride, tokens, columns);
    Arrays.fill(y, 0, tokens * ROWS, 0);
    int bits = from + columns / COLUMNS * halfBytes;
    for (int c = 0; c < columns; c += COLUMNS, from += halfBytes, bits += blockBytes) {
      unpacker.unpack(data, from, bits, unpacked);
      for (int t = 0; t < tokens; t++) {
        int sumsAt = (t * columns + c) / span;
        unpacked.addProducts(x, xAt + t * stride + c, sums, sumsAt, y, t * ROWS);
      }
    }
  }

  /** The sum of each token over each span of columns. */
  private void addUp(float[] x, int xAt, int stride, int tokens, int columns) {
    if (sums.length < tokens * columns / span) {
      sums = new float[tokens * columns / span];
    }
    for (int t = 0; t < tokens; t++) {
      for (int g = 0; g < columns / span; g++) {
        sums[t * (columns / span) + g] = sum(x, xAt + t * stride + g * span);
      }
    }
  }

  private float sum(float[] x, int from) {
    float even = 0;
    float odd = 0;
    for (int i = from; i < from + span; i += 2) {
      even += x[i];
      odd += x[i + 1];
    }
    return even + odd;
  }

  @Override
  public void decode(
      byte[] data, int from, int columns, int column, int count, float[] panels, int to) {
    int halves = from + column / COLUMNS * halfBytes;
    int bits = from + columns / COLUMNS * halfBytes + column / COLUMNS * blockBytes;
    for (int c = 0; c < count; c += COLUMNS, halves += halfBytes, bits += blockBytes) {
      unpacker.unpack(data, halves, bits, unpacked);
      for (int row = 0; row < ROWS; row += WIDTH) {
        unpacked.toFloats(row, panels, to + row * count + c * WIDTH);
      }
    }
  }
}
