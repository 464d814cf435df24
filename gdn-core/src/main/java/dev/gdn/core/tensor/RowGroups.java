package dev.gdn.core.tensor;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;

/**
 * {@link RowLayout#GROUPS}: what 32 rows have in the same place lies together. First come the
 * binary16 numbers of the first block, row by row for each number, and so those of all blocks; then
 * the other bytes of the first block, in their order, row by row for each, and so those of all
 * blocks. A vector load takes a byte of every row, no lane has to meet another in a product, and a
 * product reads memory in its order.
 *
 * <p>It is a permutation of the bytes of {@link #ROWS} rows: nothing is rounded and nothing grows.
 */
public final class RowGroups {
  /** Rows of a group. */
  public static final int ROWS = 32;

  private RowGroups() {}

  /** Whether the blocks of a type can be laid out so. */
  public static boolean covers(DataType type) {
    return halves(type) > 0;
  }

  /** Whether a matrix can be laid out so. */
  public static boolean covers(DataType type, long rows) {
    return covers(type) && rows > 0 && rows % ROWS == 0;
  }

  /** The binary16 numbers of a block; 0 for types that are not covered. */
  public static int halves(DataType type) {
    return switch (type) {
      case Q8_0, Q4_0, Q6_K -> 1;
      case Q4_K, Q5_K -> 2;
      default -> 0;
    };
  }

  /** Where the binary16 numbers stand in a block. */
  private static int firstHalf(DataType type) {
    return type == DataType.Q6_K ? type.blockBytes() - 2 : 0;
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
  public static void arrange(
      WeightMatrix source, MemorySegment target, int firstGroup, int groups) {
    if (source.layout() != RowLayout.ROWS || !covers(source.type(), source.rows())) {
      throw new IllegalArgumentException(
          "matrix %s: expected rows in their order, a multiple of %d, found %d rows of %s, %s"
              .formatted(source.name(), ROWS, source.rows(), source.type(), source.layout()));
    }
    Objects.checkFromIndexSize(firstGroup, groups, source.rows() / ROWS);
    int rowBytes = Math.toIntExact(source.rowBytes());
    byte[] rows = new byte[Math.multiplyExact(ROWS, rowBytes)];
    byte[] group = new byte[rows.length];
    for (int g = firstGroup; g < firstGroup + groups; g++) {
      long at = (long) g * rows.length;
      MemorySegment.copy(source.data(), ValueLayout.JAVA_BYTE, at, rows, 0, rows.length);
      arrange(source.type(), rows, rowBytes, group);
      MemorySegment.copy(group, 0, target, ValueLayout.JAVA_BYTE, at, group.length);
    }
  }

  private static void arrange(DataType type, byte[] rows, int rowBytes, byte[] group) {
    int blockBytes = type.blockBytes();
    int halfBytes = 2 * halves(type);
    int first = firstHalf(type);
    int to = 0;
    for (int block = 0; block < rowBytes; block += blockBytes) {
      for (int half = first; half < first + halfBytes; half += 2, to += 2 * ROWS) {
        spread(rows, block + half, rowBytes, group, to, 2);
        spread(rows, block + half + 1, rowBytes, group, to + 1, 2);
      }
    }
    for (int block = 0; block < rowBytes; block += blockBytes) {
      for (int i = 0; i < first; i++, to += ROWS) {
        spread(rows, block + i, rowBytes, group, to, 1);
      }
      for (int i = first + halfBytes; i < blockBytes; i++, to += ROWS) {
        spread(rows, block + i, rowBytes, group, to, 1);
      }
    }
  }

  private static void spread(byte[] rows, int from, int rowBytes, byte[] group, int to, int apart) {
    for (int r = 0; r < ROWS; r++) {
      group[to + r * apart] = rows[from + r * rowBytes];
    }
  }

  /** Decodes one row: the reverse of {@link #arrange}, block by block. */
  static void decodeRow(WeightMatrix matrix, int row, float[] target, int offset) {
    DataType type = matrix.type();
    int blockBytes = type.blockBytes();
    byte[] block = new byte[blockBytes];
    MemorySegment stored = MemorySegment.ofArray(block);
    long group = row / ROWS * ROWS * matrix.rowBytes();
    int halfBytes = 2 * halves(type) * ROWS;
    long halvesAt = group;
    long bytesAt = group + (long) matrix.columns() / type.blockElements() * halfBytes;
    for (int c = 0; c < matrix.columns(); c += type.blockElements()) {
      collect(type, matrix.data(), halvesAt, bytesAt, row % ROWS, block);
      halvesAt += halfBytes;
      bytesAt += (long) blockBytes * ROWS - halfBytes;
      BlockDecoder.decode(type, stored, 0, target, offset + c, type.blockElements());
    }
  }

  private static void collect(
      DataType type, MemorySegment data, long halvesAt, long at, int row, byte[] block) {
    int halfBytes = 2 * halves(type);
    int first = firstHalf(type);
    for (int half = 0; half < halfBytes; half += 2, halvesAt += 2 * ROWS) {
      block[first + half] = data.get(ValueLayout.JAVA_BYTE, halvesAt + 2L * row);
      block[first + half + 1] = data.get(ValueLayout.JAVA_BYTE, halvesAt + 2L * row + 1);
    }
    for (int i = 0; i < first; i++, at += ROWS) {
      block[i] = data.get(ValueLayout.JAVA_BYTE, at + row);
    }
    for (int i = first + halfBytes; i < block.length; i++, at += ROWS) {
      block[i] = data.get(ValueLayout.JAVA_BYTE, at + row);
    }
  }
}
