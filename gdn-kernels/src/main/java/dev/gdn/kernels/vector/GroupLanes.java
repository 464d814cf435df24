package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.MatrixLanes.FLOATS;
import static dev.gdn.kernels.vector.MatrixLanes.INTS;
import static dev.gdn.kernels.vector.MatrixLanes.LENGTH;
import static dev.gdn.kernels.vector.MatrixLanes.SHORTS;

import dev.gdn.core.tensor.RowGroups;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/** What products with groups of rows ({@link RowGroups}) share: a row stands in each lane. */
final class GroupLanes {
  /** Rows of a group. */
  static final int ROWS = RowGroups.ROWS;

  /** Rows that are multiplied at the same time: two vectors of floats, or one of shorts. */
  static final int WIDTH = 2 * LENGTH;

  /** A byte of each of these. */
  static final VectorSpecies<Byte> WIDTH_BYTES =
      VectorSpecies.of(byte.class, VectorShape.forBitSize(8 * WIDTH));

  /** Bytes of one binary16 number of every row. */
  static final int HALF_BYTES = 2 * ROWS;

  // What a float with the bits of a half in their places must be multiplied by, for the exponents'
  // biases differ.
  private static final float REBIAS = 0x1p112f;
  private static final int SIGN_EXPONENT_MANTISSA = 0x8FFFE000;
  private static final int INFINITE_HALF = 0x0F800000;
  private static final int INFINITE = 0x7F800000;

  private GroupLanes() {}

  /** A byte of each of {@link #WIDTH} rows, from 0 to 255. */
  static ShortVector unsigned(byte[] data, int from) {
    return (ShortVector)
        ByteVector.fromArray(WIDTH_BYTES, data, from)
            .convertShape(VectorOperators.ZERO_EXTEND_B2S, SHORTS, 0);
  }

  /** Widens a binary16 number of every row, {@link #HALF_BYTES} from {@code from} on. */
  static void halves(byte[] block, int from, float[] target, int to) {
    for (int i = 0; i < ROWS; i += LENGTH) {
      IntVector bits =
          ((IntVector)
                  ByteVector.fromArray(WIDTH_BYTES, block, from + 2 * i)
                      .reinterpretAsShorts()
                      .convertShape(VectorOperators.S2I, INTS, 0))
              .lanewise(VectorOperators.LSHL, 16)
              .lanewise(VectorOperators.ASHR, 3)
              .and(SIGN_EXPONENT_MANTISSA);
      FloatVector number = bits.reinterpretAsFloats().mul(REBIAS);
      FloatVector beyond = bits.or(INFINITE).reinterpretAsFloats();
      number
          .blend(
              beyond,
              bits.and(INFINITE_HALF).compare(VectorOperators.EQ, INFINITE_HALF).cast(FLOATS))
          .intoArray(target, to + i);
    }
  }
}
