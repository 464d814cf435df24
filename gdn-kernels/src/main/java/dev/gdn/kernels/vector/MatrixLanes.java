package dev.gdn.kernels.vector;

import java.nio.ByteOrder;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/** The vector shapes of the matrix products. */
final class MatrixLanes {
  static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_PREFERRED;
  static final VectorSpecies<Integer> INTS = IntVector.SPECIES_PREFERRED;
  static final VectorSpecies<Short> SHORTS = ShortVector.SPECIES_PREFERRED;

  /** Floats of one vector. */
  static final int LENGTH = FLOATS.length();

  /** As many shorts as {@link #FLOATS} has floats. */
  static final VectorSpecies<Short> HALF_SHORTS =
      VectorSpecies.of(short.class, VectorShape.forBitSize(16 * LENGTH));

  /** As many bytes as {@link #FLOATS} has floats, but at least the eight that a vector can have. */
  static final VectorSpecies<Byte> QUARTER_BYTES =
      VectorSpecies.of(byte.class, VectorShape.forBitSize(Math.max(64, 8 * LENGTH)));

  /** True if {@link #QUARTER_BYTES} fill two vectors of floats. */
  static final boolean TWO_FROM_BYTES = QUARTER_BYTES.length() > LENGTH;

  /** What a block of 32 nibbles fills. */
  static final VectorSpecies<Byte> SIXTEEN_BYTES = ByteVector.SPECIES_128;

  /** As many bytes as the bits of a larger block come in, or half of them on smaller machines. */
  static final VectorSpecies<Byte> WIDE_BYTES =
      VectorSpecies.of(byte.class, VectorShape.forBitSize(Math.clamp(32 * LENGTH, 128, 256)));

  static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;

  /** Elements of a GGUF block. */
  static final int BLOCK = 32;

  /**
   * Where large scratch arrays begin to be used: 64 bytes from where they stand in memory, if that
   * is a multiple of 64, as it is for what G1 gives a region of its own. A vector that lies across
   * two cache lines costs two loads.
   */
  static final int ORIGIN = 12;

  private MatrixLanes() {}
}
