package dev.gdn.model.gguf;

import dev.gdn.core.concurrent.Workers;
import dev.gdn.core.tensor.BlockEncoder;
import dev.gdn.core.tensor.DataType;
import dev.gdn.core.tensor.Shape;
import dev.gdn.core.tensor.UnencodableException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.function.LongConsumer;

/**
 * A tensor whose rows are made and encoded piece by piece, each piece by all workers.
 *
 * @param type to encode as
 * @param shape outermost dimension first
 * @param rows the numbers
 * @param workers fill and encode rows
 */
public record RowEncoder(DataType type, Shape shape, RowSource rows, Workers workers) {
  /** Bytes of one piece, about. */
  static final int PIECE = 1 << 20;

  /**
   * Encodes all rows into memory.
   *
   * @param target as long as type and shape say
   * @param progress told after each piece how many rows are done; what it throws ends the work
   * @throws RuntimeException the {@linkplain RowSource#refusal refusal} of an element that the type
   *     does not take
   * @throws IndexOutOfBoundsException if the target is too short
   */
  public void encode(MemorySegment target, LongConsumer progress) {
    float[][] decoded = scratch();
    long rowBytes = rowBytes();
    for (long first = 0; first < count(); first += rowsOfPiece()) {
      int parts = (int) Math.min(rowsOfPiece(), count() - first);
      encode(first, parts, target.asSlice(first * rowBytes, parts * rowBytes), decoded);
      progress.accept(first + parts);
    }
  }

  /** Encodes all rows and hands them over piece by piece, as a {@link TensorContent}. */
  void writeTo(TensorContent.Sink sink) throws IOException {
    if (count() == 0) {
      return;
    }
    float[][] decoded = scratch();
    ByteBuffer piece = ByteBuffer.allocateDirect(rowsOfPiece() * rowBytes());
    MemorySegment encoded = MemorySegment.ofBuffer(piece);
    for (long first = 0; first < count(); first += rowsOfPiece()) {
      int parts = (int) Math.min(rowsOfPiece(), count() - first);
      encode(first, parts, encoded, decoded);
      sink.accept(piece.clear().limit(parts * rowBytes()));
    }
  }

  private void encode(long first, int parts, MemorySegment target, float[][] decoded) {
    int columns = columns();
    long rowBytes = rowBytes();
    workers.run(
        parts,
        (part, worker) -> {
          rows.fill(first + part, decoded[worker]);
          try {
            BlockEncoder.encode(type, decoded[worker], 0, columns, target, part * rowBytes);
          } catch (UnencodableException problem) {
            throw rows.refusal(first + part, problem);
          }
        });
  }

  private float[][] scratch() {
    return new float[workers.threads()][columns()];
  }

  private int columns() {
    return Math.toIntExact(shape.dimension(shape.rank() - 1));
  }

  private long count() {
    return columns() == 0 ? 0 : shape.elements() / columns();
  }

  private int rowBytes() {
    return Math.toIntExact(type.bytes(columns()));
  }

  private int rowsOfPiece() {
    return (int) Math.clamp(PIECE / rowBytes(), 1, Math.max(1, count()));
  }
}
