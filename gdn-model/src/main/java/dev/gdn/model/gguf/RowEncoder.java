package dev.gdn.model.gguf;

import dev.gdn.core.concurrent.Workers;
import dev.gdn.core.tensor.BlockEncoder;
import dev.gdn.core.tensor.DataType;
import dev.gdn.core.tensor.Shape;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * A tensor whose rows are made and encoded while it is written.
 *
 * @param type to encode as
 * @param shape outermost dimension first
 * @param rows the numbers
 * @param workers fill and encode rows
 */
record RowEncoder(DataType type, Shape shape, RowSource rows, Workers workers)
    implements TensorContent {
  /** Bytes of one piece, about. */
  static final int PIECE = 1 << 20;

  @Override
  public void writeTo(Sink sink) throws IOException {
    int columns = Math.toIntExact(shape.dimension(shape.rank() - 1));
    if (columns == 0) {
      return;
    }
    int rowBytes = Math.toIntExact(type.bytes(columns));
    long count = shape.elements() / columns;
    int rowsOfPiece = (int) Math.clamp(PIECE / rowBytes, 1, count);
    ByteBuffer piece = ByteBuffer.allocateDirect(rowsOfPiece * rowBytes);
    MemorySegment encoded = MemorySegment.ofBuffer(piece);
    float[][] decoded = new float[workers.threads()][columns];
    for (long first = 0; first < count; first += rowsOfPiece) {
      long from = first;
      int parts = (int) Math.min(rowsOfPiece, count - first);
      workers.run(
          parts,
          (part, worker) -> {
            rows.fill(from + part, decoded[worker]);
            BlockEncoder.encode(type, decoded[worker], 0, columns, encoded, (long) part * rowBytes);
          });
      sink.accept(piece.clear().limit(parts * rowBytes));
    }
  }
}
