package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.MatrixLanes.BLOCK;
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
  private static final VectorSpecies<Integer> INTS = VectorSpecies.of(int.class, SHAPE);
  private static final VectorSpecies<Float> FLOATS = VectorSpecies.of(float.class, SHAPE);
  private static final VectorSpecies<Byte> BYTES =
      VectorSpecies.of(byte.class, VectorShape.forBitSize(SHAPE.vectorBitSize() / 2));
  private static final int BLOCK_BYTES = BLOCK / 2 + 2;
  private static final int LENGTH = SHORTS.length();

  private final float[] lanes = new float[FLOATS.length()];

  /**
   * The product of the row stored from byte {@code at} on with the token from element {@code from}
   * of {@code x} on.
   */
  float dot(MemorySegment data, long at, QuantizedTokens x, int from, int count) {
    short[] values = x.values();
    float[] scales = x.scales();
    int first = from / BLOCK;
    FloatVector sum = FloatVector.zero(FLOATS);
    for (int b = 0; b < count / BLOCK; b++) {
      long stored = at + (long) b * BLOCK_BYTES;
      float scale = scales[first + b] * WeightDecoder.half(data, stored);
      sum = sums(data, stored + 2, values, from + b * BLOCK).fma(all(scale), sum);
    }
    sum.intoArray(lanes, 0);
    return RowDot.sum(lanes);
  }

  private static FloatVector all(float value) {
    return FloatVector.broadcast(FLOATS, value);
  }

  // A block's sum in as many parts as there are lanes.
  private static FloatVector sums(MemorySegment data, long at, short[] x, int from) {
    ShortVector products = products(data, at, x, from);
    if (LENGTH < BLOCK / 2) {
      products = products.add(products(data, at + LENGTH, x, from + LENGTH));
    }
    IntVector pairs = products.reinterpretAsInts();
    IntVector left = pairs.lanewise(VectorOperators.LSHL, 16).lanewise(VectorOperators.ASHR, 16);
    IntVector right = pairs.lanewise(VectorOperators.ASHR, 16);
    return (FloatVector) left.add(right).castShape(FLOATS, 0);
  }

  private static ShortVector products(MemorySegment data, long at, short[] x, int from) {
    ShortVector pairs =
        (ShortVector)
            ByteVector.fromMemorySegment(BYTES, data, at, ORDER)
                .convertShape(VectorOperators.ZERO_EXTEND_B2S, SHORTS, 0);
    ShortVector low =
        pairs.and((short) 0xF).sub((short) 8).mul(ShortVector.fromArray(SHORTS, x, from));
    ShortVector high =
        pairs
            .lanewise(VectorOperators.LSHR, 4)
            .sub((short) 8)
            .mul(ShortVector.fromArray(SHORTS, x, from + BLOCK / 2));
    return low.add(high);
  }
}
