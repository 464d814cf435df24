package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.MatrixLanes.BLOCK;
import static dev.gdn.kernels.vector.MatrixLanes.FLOATS;
import static dev.gdn.kernels.vector.MatrixLanes.HALF_SHORTS;
import static dev.gdn.kernels.vector.MatrixLanes.INTS;
import static dev.gdn.kernels.vector.MatrixLanes.LENGTH;
import static dev.gdn.kernels.vector.MatrixLanes.ORDER;
import static dev.gdn.kernels.vector.MatrixLanes.QUARTER_BYTES;
import static dev.gdn.kernels.vector.MatrixLanes.TWO_FROM_BYTES;

import dev.gdn.core.tensor.DataType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;

/** Turns stored weights into float32, a vector at a time. */
final class WeightDecoder {
  static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ORDER);
  static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ORDER);

  private WeightDecoder() {}

  /**
   * Decodes {@code count} elements that start at byte {@code from}.
   *
   * @param type not Q4_0
   * @param count a whole number of the type's blocks
   */
  static void decode(
      DataType type, MemorySegment data, long from, float[] target, int offset, int count) {
    switch (type) {
      case F32 -> MemorySegment.copy(data, FLOAT, from, target, offset, count);
      case F16 -> halves(data, from, target, offset, count);
      case BF16 -> brainFloats(data, from, target, offset, count);
      case Q8_0 -> bytes(data, from, target, offset, count);
      case Q4_0 -> throw new IllegalArgumentException("4-bit weights are multiplied as integers");
    }
  }

  private static void halves(MemorySegment data, long from, float[] target, int offset, int count) {
    int i = 0;
    for (; i <= count - LENGTH; i += LENGTH) {
      IntVector half =
          (IntVector)
              ShortVector.fromMemorySegment(HALF_SHORTS, data, from + 2L * i, ORDER)
                  .castShape(INTS, 0);
      // Moved to where a binary32 has its exponent and fraction, a binary16 is 2^112 too small,
      // also where it is subnormal. Infinities and NaN get the exponent they lack.
      IntVector magnitude = half.and(0x7FFF).lanewise(VectorOperators.LSHL, 13);
      IntVector scaled = magnitude.reinterpretAsFloats().mul(0x1p112f).reinterpretAsInts();
      IntVector finite =
          scaled.lanewise(
              VectorOperators.OR, 0x7F800000, magnitude.compare(VectorOperators.UGE, 0x7C00 << 13));
      finite
          .or(half.and(0x8000).lanewise(VectorOperators.LSHL, 16))
          .reinterpretAsFloats()
          .intoArray(target, offset + i);
    }
    for (; i < count; i++) {
      target[offset + i] = half(data, from + 2L * i);
    }
  }

  private static void brainFloats(
      MemorySegment data, long from, float[] target, int offset, int count) {
    int i = 0;
    for (; i <= count - LENGTH; i += LENGTH) {
      ((IntVector)
              ShortVector.fromMemorySegment(HALF_SHORTS, data, from + 2L * i, ORDER)
                  .castShape(INTS, 0))
          .lanewise(VectorOperators.LSHL, 16)
          .reinterpretAsFloats()
          .intoArray(target, offset + i);
    }
    for (; i < count; i++) {
      target[offset + i] = brain(data, from + 2L * i);
    }
  }

  private static void bytes(MemorySegment data, long from, float[] target, int offset, int count) {
    for (int i = 0; i < count; i += BLOCK, from += BLOCK + 2) {
      FloatVector scale = FloatVector.broadcast(FLOATS, half(data, from));
      for (int j = 0; j < BLOCK; j += QUARTER_BYTES.length()) {
        ByteVector q = ByteVector.fromMemorySegment(QUARTER_BYTES, data, from + 2 + j, ORDER);
        ((FloatVector) q.castShape(FLOATS, 0)).mul(scale).intoArray(target, offset + i + j);
        if (TWO_FROM_BYTES) {
          ((FloatVector) q.castShape(FLOATS, 1))
              .mul(scale)
              .intoArray(target, offset + i + j + LENGTH);
        }
      }
    }
  }

  /** The binary16 at byte {@code from}. */
  static float half(MemorySegment data, long from) {
    return Float.float16ToFloat(data.get(SHORT, from));
  }

  /** The upper half of a binary32 at byte {@code from}. */
  static float brain(MemorySegment data, long from) {
    return Float.intBitsToFloat(data.get(SHORT, from) << 16);
  }
}
