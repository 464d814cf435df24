package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.GroupLanes.HALF_BYTES;
import static dev.gdn.kernels.vector.GroupLanes.ROWS;
import static dev.gdn.kernels.vector.GroupLanes.WIDTH;
import static dev.gdn.kernels.vector.MatrixLanes.BLOCK;
import static dev.gdn.kernels.vector.MatrixLanes.FLOATS;
import static dev.gdn.kernels.vector.MatrixLanes.LENGTH;
import static dev.gdn.kernels.vector.MatrixLanes.QUARTER_BYTES;
import static dev.gdn.kernels.vector.MatrixLanes.TWO_FROM_BYTES;

import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.FloatVector;

/** Groups of rows of GGUF Q8_0 blocks. */
final class ByteGroups implements GroupedRows {
  private static final int BLOCK_BYTES = BLOCK * ROWS;

  private float[] scales = {};

  @Override
  public void multiply(
      byte[] data, int from, int columns, float[] x, int xAt, int stride, int tokens, float[] y) {
    int blocks = columns / BLOCK;
    readScales(data, from, blocks);
    for (int t = 0; t < tokens; t++) {
      for (int row = 0; row < ROWS; row += WIDTH) {
        multiplyRows(
            data, from + blocks * HALF_BYTES, row, blocks, x, xAt + t * stride, y, t * ROWS + row);
      }
    }
  }

  private void readScales(byte[] data, int from, int blocks) {
    if (scales.length < blocks * ROWS) {
      scales = new float[blocks * ROWS];
    }
    for (int b = 0; b < blocks; b++) {
      GroupLanes.halves(data, from + b * HALF_BYTES, scales, b * ROWS);
    }
  }

  private void multiplyRows(
      byte[] data, int from, int row, int blocks, float[] x, int xAt, float[] y, int to) {
    FloatVector s0 = FloatVector.zero(FLOATS);
    FloatVector s1 = s0;
    for (int b = 0; b < blocks; b++) {
      int block = from + b * BLOCK_BYTES + row;
      FloatVector even0 = FloatVector.zero(FLOATS);
      FloatVector even1 = even0;
      FloatVector odd0 = even0;
      FloatVector odd1 = even0;
      for (int j = 0; j < BLOCK; j += 2) {
        int q = block + j * ROWS;
        FloatVector token = FloatVector.broadcast(FLOATS, x[xAt + b * BLOCK + j]);
        even0 = first(data, q).fma(token, even0);
        even1 = second(data, q).fma(token, even1);
        token = FloatVector.broadcast(FLOATS, x[xAt + b * BLOCK + j + 1]);
        odd0 = first(data, q + ROWS).fma(token, odd0);
        odd1 = second(data, q + ROWS).fma(token, odd1);
      }
      s0 = even0.add(odd0).fma(FloatVector.fromArray(FLOATS, scales, b * ROWS + row), s0);
      s1 = even1.add(odd1).fma(FloatVector.fromArray(FLOATS, scales, b * ROWS + row + LENGTH), s1);
    }
    s0.intoArray(y, to);
    s1.intoArray(y, to + LENGTH);
  }

  @Override
  public void decode(
      byte[] data, int from, int columns, int column, int count, float[] panels, int to) {
    readScales(data, from + column / BLOCK * HALF_BYTES, count / BLOCK);
    int quanta = from + columns / BLOCK * HALF_BYTES + column * ROWS;
    for (int row = 0; row < ROWS; row += WIDTH) {
      for (int b = 0; b < count / BLOCK; b++) {
        int at = to + row * count + b * BLOCK * WIDTH;
        decodeBlock(data, quanta + b * BLOCK_BYTES, row, b * ROWS + row, panels, at);
      }
    }
  }

  private void decodeBlock(byte[] data, int from, int row, int scaleAt, float[] panels, int to) {
    FloatVector scale0 = FloatVector.fromArray(FLOATS, scales, scaleAt);
    FloatVector scale1 = FloatVector.fromArray(FLOATS, scales, scaleAt + LENGTH);
    for (int j = 0; j < BLOCK; j++) {
      int q = from + row + j * ROWS;
      first(data, q).mul(scale0).intoArray(panels, to + j * WIDTH);
      second(data, q).mul(scale1).intoArray(panels, to + j * WIDTH + LENGTH);
    }
  }

  private static FloatVector first(byte[] data, int from) {
    return (FloatVector) ByteVector.fromArray(QUARTER_BYTES, data, from).castShape(FLOATS, 0);
  }

  private static FloatVector second(byte[] data, int from) {
    return TWO_FROM_BYTES
        ? (FloatVector) ByteVector.fromArray(QUARTER_BYTES, data, from).castShape(FLOATS, 1)
        : first(data, from + LENGTH);
  }
}
