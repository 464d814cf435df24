package dev.gdn.model.checkpoint;

import dev.gdn.core.concurrent.Workers;
import dev.gdn.core.tensor.DataType;
import dev.gdn.core.tensor.Float8;
import dev.gdn.core.tensor.Shape;
import dev.gdn.model.config.BlockScaling;
import dev.gdn.model.gguf.RowSource;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.function.LongConsumer;

/**
 * A matrix of E4M3 numbers with one scale for each block of rows and columns: an element is its
 * number times the scale of its block.
 *
 * @param name the name in the checkpoint
 * @param shape {@code [rows, columns]}
 * @param codes one byte an element, row-major
 * @param scales row-major, one for each block
 * @param block size of a block; those at the right and lower edge may be cut off
 */
record BlockScaledMatrix(
    String name, Shape shape, MemorySegment codes, float[] scales, BlockScaling block)
    implements RowSource {
  private static final ValueLayout.OfFloat FLOAT =
      ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /** Rows that are packed between two reports of progress. */
  private static final int ROWS_OF_PIECE = 512;

  /** The shape that the scales of a matrix have. */
  static Shape scalesOf(Shape shape, BlockScaling block) {
    return new Shape(
        Math.ceilDiv(shape.dimension(0), block.rows()),
        Math.ceilDiv(shape.dimension(1), block.columns()));
  }

  @Override
  public void fill(long row, float[] target) {
    int columns = (int) shape.dimension(1);
    long from = row * columns;
    for (int start = 0; start < columns; start += block.columns()) {
      float scale = scale(row, start);
      int end = Math.min(columns, start + block.columns());
      for (int i = start; i < end; i++) {
        target[i] = scale * Float8.toFloat(codes.get(ValueLayout.JAVA_BYTE, from + i));
      }
    }
  }

  private float scale(long row, int column) {
    int across = Math.ceilDiv((int) shape.dimension(1), block.columns());
    return scales[(int) (row / block.rows()) * across + column / block.columns()];
  }

  /** The type that holds every element exactly, the smallest where blocks allow for it. */
  DataType type() {
    int elements = DataType.F8_E4M3.blockElements();
    boolean whole = shape.dimension(1) % elements == 0 && block.columns() % elements == 0;
    return whole ? DataType.F8_E4M3 : DataType.F32;
  }

  /**
   * Writes all rows as blocks of {@link DataType#F8_E4M3}.
   *
   * @param progress told how many rows are done
   */
  void pack(MemorySegment target, Workers workers, LongConsumer progress) {
    long rows = shape.dimension(0);
    for (long first = 0; first < rows; first += ROWS_OF_PIECE) {
      long from = first;
      int count = (int) Math.min(ROWS_OF_PIECE, rows - first);
      workers.run(count, (part, worker) -> packRow(from + part, target));
      progress.accept(first + count);
    }
  }

  private void packRow(long row, MemorySegment target) {
    int columns = (int) shape.dimension(1);
    int elements = DataType.F8_E4M3.blockElements();
    long to = row * DataType.F8_E4M3.bytes(columns);
    for (int i = 0; i < columns; i += elements, to += DataType.F8_E4M3.blockBytes()) {
      target.set(FLOAT, to, scale(row, i));
      MemorySegment.copy(codes, row * columns + i, target, to + Float.BYTES, elements);
    }
  }
}
