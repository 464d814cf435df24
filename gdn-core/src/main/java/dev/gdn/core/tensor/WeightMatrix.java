package dev.gdn.core.tensor;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * A weight matrix, {@code [rows, columns]}, with its elements as a checkpoint stores them: a
 * product with it maps vectors of {@code columns} to vectors of {@code rows}. Safe to share.
 *
 * @param name the name in the checkpoint, for messages
 * @param type how elements are stored
 * @param rows output width
 * @param columns input width, a whole number of the type's blocks
 * @param layout the order of the bytes
 * @param data exactly the matrix's bytes
 */
public record WeightMatrix(
    String name, DataType type, int rows, int columns, RowLayout layout, MemorySegment data) {
  /**
   * @throws IllegalArgumentException if a side is not positive, columns are no whole number of
   *     blocks, the data are not as many bytes as that takes, or the rows cannot be laid out so
   */
  public WeightMatrix {
    if (layout == RowLayout.GROUPS && !RowGroups.covers(type, rows)) {
      throw new IllegalArgumentException(
          "matrix %s: no groups of %d rows in [%d, %d] of %s"
              .formatted(name, RowGroups.ROWS, rows, columns, type));
    }
    if (rows <= 0 || columns <= 0 || columns % type.blockElements() != 0) {
      throw new IllegalArgumentException(
          "matrix %s: bad size [%d, %d] for %s (blocks of %d)"
              .formatted(name, rows, columns, type, type.blockElements()));
    }
    long expected = rows * type.bytes(columns);
    if (data.byteSize() != expected) {
      throw new IllegalArgumentException(
          "matrix %s: %s [%d, %d] takes %d bytes, got %d"
              .formatted(name, type, rows, columns, expected, data.byteSize()));
    }
  }

  /** A matrix with one row after the other. */
  public WeightMatrix(String name, DataType type, int rows, int columns, MemorySegment data) {
    this(name, type, rows, columns, RowLayout.ROWS, data);
  }

  /** Bytes of a row; from one to the next, if they lie in their order. */
  public long rowBytes() {
    return type.bytes(columns);
  }

  /**
   * A view of some rows.
   *
   * @param first row, from 0
   * @param count at least 1
   * @throws IndexOutOfBoundsException if the matrix has no such rows
   * @throws IllegalArgumentException if they lie in groups and are no whole number of these
   */
  public WeightMatrix slice(int first, int count) {
    Objects.checkFromIndexSize(first, count, rows);
    if (layout == RowLayout.GROUPS && first % RowGroups.ROWS != 0) {
      throw new IllegalArgumentException(
          "matrix %s: row %d does not begin a group of %d".formatted(name, first, RowGroups.ROWS));
    }
    MemorySegment slice = data.asSlice(first * rowBytes(), count * rowBytes());
    return new WeightMatrix(name, type, count, columns, layout, slice);
  }

  /**
   * Decodes one row.
   *
   * @param row from 0 to {@code rows - 1}
   * @param target takes {@code columns} values from {@code offset} on
   * @throws IndexOutOfBoundsException if the row or the target is out of range
   */
  public void decodeRow(int row, float[] target, int offset) {
    Objects.checkIndex(row, rows);
    switch (layout) {
      case ROWS -> BlockDecoder.decode(type, data, row * rowBytes(), target, offset, columns);
      case GROUPS -> RowGroups.decodeRow(this, row, target, offset);
    }
  }
}
