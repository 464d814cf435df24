package dev.gdn.kernels.vector;

import dev.gdn.core.tensor.DataType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Rows of one stored type, as products in float32 meet them. Holds scratch memory: one for each
 * worker.
 *
 * <p>Every type has methods of its own with their loops in them whole: C2 does not inline a method
 * that it has compiled to much code before, and a vector that crosses a call is put on the heap.
 *
 * <p>Every method that loads vectors from a segment asks first whether it {@linkplain
 * MemorySegment#isMapped is mapped}. The answer does not matter: C2 sees which class of segment the
 * call has met, checks for it once, and knows it from there on. Otherwise it takes what the Vector
 * API's own code has met, where segments over arrays are among them, and has every load look for
 * its memory anew: a third of the speed.
 */
sealed interface StoredRows
    permits FloatRows, HalfRows, BrainRows, ByteRows, Float8Rows, PackedRows {
  ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(MatrixLanes.ORDER);

  ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(MatrixLanes.ORDER);
  ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(MatrixLanes.ORDER);

  /**
   * Decodes {@code count} elements of a row that start at byte {@code from}.
   *
   * @param count a whole number of the type's blocks
   */
  void decode(MemorySegment data, long from, float[] target, int offset, int count);

  /**
   * The dot product of {@code count} elements that start at byte {@code from} with those of a token
   * from {@code xAt} on, still in the lanes of a vector. To add them up at once would be to wait
   * for them: {@link RowSums} does it for some rows together.
   *
   * @param lanes takes {@link MatrixLanes#LENGTH} numbers from {@code to} on, whose sum it is
   */
  void dot(MemorySegment data, long from, float[] x, int xAt, int count, float[] lanes, int to);

  /** The same for some rows, one after the other, whose lanes follow one another. */
  default void dots(
      MemorySegment data,
      long from,
      long rowBytes,
      int rows,
      float[] x,
      int xAt,
      int count,
      float[] lanes) {
    for (int row = 0; row < rows; row++) {
      dot(data, from + row * rowBytes, x, xAt, count, lanes, row * MatrixLanes.LENGTH);
    }
  }

  /** For one worker. */
  static StoredRows of(DataType type) {
    return switch (type) {
      case F32 -> new FloatRows();
      case F16 -> new HalfRows();
      case BF16 -> new BrainRows();
      case Q8_0 -> new ByteRows();
      case Q4_0 -> new PackedRows(new Q4Unpacker(false), 32);
      case Q4_1 -> new PackedRows(new Q4Unpacker(true), 32);
      case Q5_0 -> new PackedRows(new Q5Unpacker(false), 32);
      case Q5_1 -> new PackedRows(new Q5Unpacker(true), 32);
      case Q2_K -> new PackedRows(new Q2KUnpacker(), 16);
      case Q3_K -> new PackedRows(new Q3KUnpacker(), 16);
      case Q4_K -> new PackedRows(new Q4KUnpacker(), 32);
      case Q5_K -> new PackedRows(new Q5KUnpacker(), 32);
      case Q6_K -> new PackedRows(new Q6KUnpacker(), 16);
      case IQ4_NL -> new PackedRows(new CodebookUnpacker(Codebook.NONLINEAR), 32);
      case IQ4_XS -> new PackedRows(new IQ4XSUnpacker(), 32);
      case MXFP4 -> new PackedRows(new CodebookUnpacker(Codebook.TINY_FLOATS), 32);
      case F8_E4M3 -> new Float8Rows();
    };
  }

  /**
   * Reads one byte and drops it. Where a mapped file was cut short, reading it faults. HotSpot (JDK
   * 25) throws an InternalError then if the compiled method has an access to a single value in it,
   * and ends the JVM if it has vector loads alone. So every method that loads vectors from a
   * segment and reads no scale there calls this; the read itself costs nothing, as C2 drops it.
   */
  static void touch(MemorySegment data, long at) {
    data.get(ValueLayout.JAVA_BYTE, at);
  }

  /** The binary16 at byte {@code from}. */
  static float half(MemorySegment data, long from) {
    return Float.float16ToFloat(data.get(SHORT, from));
  }

  /** The unsigned byte at {@code from}. */
  static int unsigned(MemorySegment data, long from) {
    return data.get(ValueLayout.JAVA_BYTE, from) & 0xFF;
  }
}
