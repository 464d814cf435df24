package dev.gdn.model.gguf;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/** Where the bytes of a tensor come from while it is written. */
@FunctionalInterface
interface TensorContent {
  /** Takes the bytes of a tensor, piece by piece. */
  @FunctionalInterface
  interface Sink {
    /**
     * Takes all remaining bytes of a piece.
     *
     * @throws IOException if they cannot be written
     */
    void accept(ByteBuffer piece) throws IOException;
  }

  /**
   * Hands over all bytes in order.
   *
   * @throws IOException if the sink throws it
   */
  void writeTo(Sink sink) throws IOException;

  /** Bytes that there are. */
  static TensorContent of(MemorySegment data) {
    return sink -> {
      int most = (int) Math.min(RowEncoder.PIECE, data.byteSize());
      ByteBuffer piece = ByteBuffer.allocateDirect(most);
      for (long from = 0; from < data.byteSize(); from += most) {
        int count = (int) Math.min(most, data.byteSize() - from);
        MemorySegment.copy(data, from, MemorySegment.ofBuffer(piece.clear()), 0, count);
        sink.accept(piece.limit(count));
      }
    };
  }
}
