package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.MatrixLanes.BLOCK;
import static dev.gdn.kernels.vector.MatrixLanes.FLOATS;
import static dev.gdn.kernels.vector.MatrixLanes.INTS;
import static dev.gdn.kernels.vector.MatrixLanes.ORDER;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/**
 * The dot product of a row of GGUF Q4_0 blocks with one quantised token. The products of a block
 * are summed exactly in 16 bits: two to four for each lane, none over 8 · 127.
 */
final class NibbleDot {
  // A block has 16 bytes, so a lane of 16 bits for each is as wide as is of use.
  private static final VectorShape SHAPE =
      VectorShape.forBitSize(Math.min(256, VectorShape.preferredShape().vectorBitSize()));
  private static final VectorSpecies<Short> SHORTS = VectorSpecies.of(short.class, SHAPE);
  private static final VectorSpecies<Byte> BYTES =
      VectorSpecies.of(byte.class, VectorShape.forBitSize(SHAPE.vectorBitSize() / 2));
  private static final int BLOCK_BYTES = BLOCK / 2 + 2;
  private static final int LENGTH = SHORTS.length();

  /** The products of some rows with a token; each has as many lanes as the machine's vectors. */
  void dots(
      MemorySegment data,
      long at,
      long rowBytes,
      int rows,
      QuantizedTokens x,
      int from,
      int count,
      float[] lanes) {
    for (int row = 0; row < rows; row++) {
      dot(data, at + row * rowBytes, x, from, count, lanes, row * MatrixLanes.LENGTH);
    }
  }

  /**
   * The product of the row stored from byte {@code at} on with the token from element {@code from}
   * of {@code x} on.
   *
   * @param lanes takes the lanes of a vector from {@code to} on, whose sum the product is
   */
  void dot(
      MemorySegment data, long at, QuantizedTokens x, int from, int count, float[] lanes, int to) {
    data.isMapped(); // see StoredRows
    short[] values = x.values();
    float[] scales = x.scales();
    int first = from / BLOCK;
    FloatVector sum = FloatVector.zero(FLOATS);
    for (int b = 0; b < count / BLOCK; b++) {
      long stored = at + (long) b * BLOCK_BYTES;
      ShortVector products = ShortVector.zero(SHORTS);
      for (int j = 0; j < BLOCK / 2; j += LENGTH) {
        ShortVector pairs =
            (ShortVector)
                ByteVector.fromMemorySegment(BYTES, data, stored + 2 + j, ORDER)
                    .convertShape(VectorOperators.ZERO_EXTEND_B2S, SHORTS, 0);
        ShortVector low = pairs.and((short) 0xF).sub((short) 8);
        ShortVector high = pairs.lanewise(VectorOperators.LSHR, 4).sub((short) 8);
        int i = from + b * BLOCK + j;
        products = low.mul(ShortVector.fromArray(SHORTS, values, i)).add(products);
        products = high.mul(ShortVector.fromArray(SHORTS, values, i + BLOCK / 2)).add(products);
      }
      IntVector two = products.reinterpretAsInts();
      IntVector left = two.lanewise(VectorOperators.LSHL, 16).lanewise(VectorOperators.ASHR, 16);
      IntVector right = two.lanewise(VectorOperators.ASHR, 16);
      float scale = scales[first + b] * Float.float16ToFloat(data.get(StoredRows.SHORT, stored));
      sum =
          ((FloatVector)
                  left.add(right)
                      .reinterpretShape(INTS, 0)
                      .convertShape(VectorOperators.I2F, FLOATS, 0))
              .fma(FloatVector.broadcast(FLOATS, scale), sum);
    }
    sum.intoArray(lanes, to);
  }
}
