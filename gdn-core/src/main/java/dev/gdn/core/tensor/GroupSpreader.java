package dev.gdn.core.tensor;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Spreads rows over groups of them, as {@link RowGroups} says. For one thread. */
final class GroupSpreader {
  private static final int ROWS = RowGroups.ROWS;

  /** Rows, and bytes of each, that are transposed at a time: one byte after the other is slow. */
  private static final int SQUARE = Long.BYTES;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);

  private final WeightMatrix source;
  private final byte[] target;
  private final GroupedBlock block;
  private final int rowBytes;
  private final byte[] rows;
  private final int[] places;
  private final long[] square = new long[SQUARE];

  GroupSpreader(WeightMatrix source, byte[] target) {
    this.source = source;
    this.target = target;
    this.block = GroupedBlock.of(source.type());
    this.rowBytes = Math.toIntExact(source.rowBytes());
    this.rows = new byte[Math.multiplyExact(ROWS, rowBytes)];
    this.places = block.places();
  }

  /** Spreads the rows of a group over its place in the target. */
  void spread(int group) {
    long at = (long) group * rows.length;
    MemorySegment.copy(source.data(), ValueLayout.JAVA_BYTE, at, rows, 0, rows.length);
    int blockBytes = block.type().blockBytes();
    int head = Math.toIntExact(at);
    int quanta = head + RowGroups.headBytes(source);
    for (int b = 0; b < rowBytes / blockBytes; b++) {
      for (int row = 0; row < ROWS; row += SQUARE) {
        int from = row * rowBytes + b * blockBytes;
        spreadHalves(from, head, row);
        spreadBytes(from, head + block.halves().length * Short.BYTES * ROWS, quanta, row);
      }
      head += block.headBytes() * ROWS;
      quanta += block.quantaBytes() * ROWS;
    }
  }

  private void spreadHalves(int from, int to, int row) {
    for (int half : block.halves()) {
      for (int r = row; r < row + SQUARE; r++) {
        short value = (short) SHORT.get(rows, from + half + (r - row) * rowBytes);
        SHORT.set(target, to + r * Short.BYTES, value);
      }
      to += ROWS * Short.BYTES;
    }
  }

  // The last square may overlap the one before it.
  private void spreadBytes(int from, int scales, int quanta, int row) {
    int first = block.firstByte();
    int last = places.length - SQUARE;
    for (int i = 0; i < places.length; i += SQUARE) {
      int at = Math.min(i, last);
      for (int r = 0; r < SQUARE; r++) {
        square[r] = (long) LONG.get(rows, from + first + at + r * rowBytes);
      }
      transpose(square);
      for (int r = 0; r < SQUARE; r++) {
        int place = places[at + r];
        int to = place < block.scales() ? scales : quanta - block.scales() * ROWS;
        LONG.set(target, to + place * ROWS + row, square[r]);
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
}
