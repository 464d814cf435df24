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
 * A matrix of E4M3 numbers with one scale for each block of rows and columns, or a stack of such
 * matrices: an element is its number times the scale of its block.
 *
 * @param name the name in the checkpoint
 * @param shape {@code [rows, columns]} or {@code [matrices, rows, columns]}
 * @param codes one byte an element, row-major
 * @param scales row-major, one for each block of each matrix
 * @param block size of a block; those at the right and lower edge of a matrix may be cut off
 */
record BlockScaledMatrix(
    String name, Shape shape, MemorySegment codes, float[] scales, BlockScaling block)
    implements RowSource {
  private static final ValueLayout.OfFloat FLOAT =
      ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /** Rows that are packed between two reports of progress. */
  private static final int ROWS_OF_PIECE = 512;

  /** The shape that the scales of a matrix, or of a stack of them, have. */
  static Shape scalesOf(Shape shape, BlockScaling block) {
    long[] blocks = shape.dimensions();
    int columns = blocks.length - 1;
    blocks[columns - 1] = Math.ceilDiv(blocks[columns - 1], block.rows());
    blocks[columns] = Math.ceilDiv(blocks[columns], block.columns());
    return new Shape(blocks);
  }

  private int columns() {
    return (int) shape.dimension(shape.rank() - 1);
  }

  private long rowsOfEach() {
    return shape.dimension(shape.rank() - 2);
  }

  /** Fills in a row, counted through all matrices. */
  @Override
  public void fill(long row, float[] target) {
    int columns = columns();
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
    long each = rowsOfEach();
    long down = row / each * Math.ceilDiv(each, block.rows()) + row % each / block.rows();
    int across = Math.ceilDiv(columns(), block.columns());
    return scales[Math.toIntExact(down * across + column / block.columns())];
  }

  /** The type that holds every element exactly, the smallest where blocks allow for it. */
  DataType type() {
    int elements = DataType.F8_E4M3.blockElements();
    boolean whole = columns() % elements == 0 && block.columns() % elements == 0;
    return whole ? DataType.F8_E4M3 : DataType.F32;
  }

  /**
   * Writes all rows as blocks of {@link DataType#F8_E4M3}.
   *
   * @param progress told how many rows are done
   */
  void pack(MemorySegment target, Workers workers, LongConsumer progress) {
    int columns = columns();
    long rows = columns == 0 ? 0 : shape.elements() / columns;
    for (long first = 0; first < rows; first += ROWS_OF_PIECE) {
      long from = first;
      int count = (int) Math.min(ROWS_OF_PIECE, rows - first);
      workers.run(count, (part, worker) -> packRow(from + part, target));
      progress.accept(first + count);
    }
  }

  private void packRow(long row, MemorySegment target) {
    int columns = columns();
    int elements = DataType.F8_E4M3.blockElements();
    long to = row * DataType.F8_E4M3.bytes(columns);
    for (int i = 0; i < columns; i += elements, to += DataType.F8_E4M3.blockBytes()) {
      target.set(FLOAT, to, scale(row, i));
      MemorySegment.copy(codes, row * columns + i, target, to + Float.BYTES, elements);
    }
  }
}
