package dev.gdn.core.tensor;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * {@link RowLayout#GROUPS}: what 32 rows have in the same place lies together. First come the
 * binary16 scales of the rows' first blocks, then those of their second blocks, and so on; then the
 * first bytes of the nibbles in the first blocks, row by row, then their second bytes, and so on. A
 * vector load takes a byte of every row, no lane has to meet another in a product, and a product
 * reads memory in its order.
 *
 * <p>It is a permutation of the bytes of {@link #ROWS} rows: nothing is rounded and nothing grows.
 */
public final class RowGroups {
  /** Rows of a group. */
  public static final int ROWS = 32;

  private static final int BLOCK = DataType.Q4_0.blockElements();
  private static final int SCALE_BYTES = 2;

  /** Rows, and bytes of each, that are transposed at a time: one byte after the other is slow. */
  private static final int SQUARE = Long.BYTES;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);

  private RowGroups() {}

  /** Whether matrices of a type can be laid out so: those of {@link DataType#Q4_0} can. */
  public static boolean covers(DataType type) {
    return type == DataType.Q4_0;
  }

  /** Whether a matrix can be laid out so. */
  public static boolean covers(DataType type, long rows) {
    return covers(type) && rows > 0 && rows % ROWS == 0;
  }

  /**
   * The bytes of a matrix in groups. They lie in an array, and are not read through its segment:
   * where segments of several classes are read, C2 checks their class, bounds and life at every
   * load, and kernels that read other matrices in a mapped file are slower, too.
   *
   * @throws IllegalArgumentException if the matrix is not in groups
   */
  public static byte[] bytes(WeightMatrix matrix) {
    if (matrix.layout() == RowLayout.GROUPS
        && matrix.data().heapBase().orElse(null) instanceof byte[] bytes) {
      return bytes;
    }
    throw new IllegalArgumentException(
        "matrix %s: expected groups of rows in an array, found %s"
            .formatted(matrix.name(), matrix.layout()));
  }

  /** Where a row's group starts in {@link #bytes}. */
  public static int start(WeightMatrix matrix, int row) {
    return Math.toIntExact(matrix.data().address() + row / ROWS * ROWS * matrix.rowBytes());
  }

  /**
   * Lays out some groups anew.
   *
   * @param source a matrix in {@link RowLayout#ROWS}, of a type and a number of rows that are
   *     {@linkplain #covers(DataType, long) covered}
   * @param target as many bytes as the source has
   * @param firstGroup from 0
   * @param groups that the source has from there on
   * @throws IllegalArgumentException if the source is not so
   * @throws IndexOutOfBoundsException if there are no such groups
   */
  public static void arrange(WeightMatrix source, byte[] target, int firstGroup, int groups) {
    if (source.layout() != RowLayout.ROWS || !covers(source.type(), source.rows())) {
      throw new IllegalArgumentException(
          "matrix %s: expected rows in their order, a multiple of %d, found %d rows of %s, %s"
              .formatted(source.name(), ROWS, source.rows(), source.type(), source.layout()));
    }
    Objects.checkFromIndexSize(firstGroup, groups, source.rows() / ROWS);
    int rowBytes = Math.toIntExact(source.rowBytes());
    byte[] rows = new byte[Math.multiplyExact(ROWS, rowBytes)];
    long[] square = new long[SQUARE];
    for (int g = firstGroup; g < firstGroup + groups; g++) {
      long at = (long) g * rows.length;
      MemorySegment.copy(source.data(), ValueLayout.JAVA_BYTE, at, rows, 0, rows.length);
      for (int row = 0; row < ROWS; row += SQUARE) {
        spread(rows, row, rowBytes, square, target, Math.toIntExact(at));
      }
    }
  }

  /** Spreads {@link #SQUARE} rows, a block at a time, over the group that starts at {@code at}. */
  private static void spread(
      byte[] rows, int row, int rowBytes, long[] square, byte[] group, int at) {
    int blockBytes = DataType.Q4_0.blockBytes();
    int from = row * rowBytes;
    int scale = at + SCALE_BYTES * row;
    int to = at + rowBytes / blockBytes * SCALE_BYTES * ROWS + row;
    for (int block = from; block < from + rowBytes; block += blockBytes) {
      for (int r = 0; r < SQUARE; r++) {
        SHORT.set(group, scale + r * SCALE_BYTES, (short) SHORT.get(rows, block + r * rowBytes));
      }
      scale += SCALE_BYTES * ROWS;
      for (int i = block + SCALE_BYTES; i < block + blockBytes; i += SQUARE) {
        for (int r = 0; r < SQUARE; r++) {
          square[r] = (long) LONG.get(rows, i + r * rowBytes);
        }
        transpose(square);
        for (int r = 0; r < SQUARE; r++, to += ROWS) {
          LONG.set(group, to, square[r]);
        }
      }
    }
  }

  /** Transposes eight rows of eight bytes: squares of 1, 2 and 4 bytes change their places. */
  private static void transpose(long[] square) {
    for (int r = 0; r < SQUARE; r += 2) {
      exchange(square, r, r + 1, 8, 0x00FF00FF00FF00FFL);
    }
    for (int r = 0; r < SQUARE; r += 4) {
      exchange(square, r, r + 2, 16, 0x0000FFFF0000FFFFL);
      exchange(square, r + 1, r + 3, 16, 0x0000FFFF0000FFFFL);
    }
    for (int r = 0; r < SQUARE / 2; r++) {
      exchange(square, r, r + 4, 32, 0x00000000FFFFFFFFL);
    }
  }

  private static void exchange(long[] square, int upper, int lower, int bits, long mask) {
    long different = (square[upper] >>> bits ^ square[lower]) & mask;
    square[lower] ^= different;
    square[upper] ^= different << bits;
  }

  /** Decodes one row, block by block. */
  static void decodeRow(WeightMatrix matrix, int row, float[] target, int offset) {
    byte[] data = bytes(matrix);
    int blocks = matrix.columns() / BLOCK;
    int group = start(matrix, row);
    int scale = group + SCALE_BYTES * (row % ROWS);
    int at = group + blocks * SCALE_BYTES * ROWS + row % ROWS;
    for (int to = offset; to < offset + matrix.columns(); to += BLOCK) {
      float unit = Float.float16ToFloat((short) SHORT.get(data, scale));
      for (int i = 0; i < BLOCK / 2; i++, at += ROWS) {
        target[to + i] = unit * ((data[at] & 0xF) - 8);
        target[to + i + BLOCK / 2] = unit * ((data[at] >> 4 & 0xF) - 8);
      }
      scale += SCALE_BYTES * ROWS;
    }
  }
}
