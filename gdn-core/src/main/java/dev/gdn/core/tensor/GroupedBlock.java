package dev.gdn.core.tensor;

import java.util.stream.IntStream;

/**
 * Which bytes of a stored block go where in groups of rows ({@link RowGroups}).
 *
 * @param type what the block is of
 * @param halves where its binary16 numbers are
 * @param scales bytes that are factors of groups of its elements: those with the first places
 * @param bytes where the byte with each place is; a run without gaps, in any order
 */
record GroupedBlock(DataType type, int[] halves, int scales, int[] bytes) {
  private static final GroupedBlock Q4_0 =
      new GroupedBlock(DataType.Q4_0, new int[] {0}, 0, run(2, 18));

  private static final GroupedBlock Q4_K =
      new GroupedBlock(DataType.Q4_K, new int[] {0, 2}, 12, run(4, 144));

  private static final GroupedBlock Q5_K =
      new GroupedBlock(DataType.Q5_K, new int[] {0, 2}, 12, bytesOfFiveBits());

  private static final GroupedBlock Q6_K =
      new GroupedBlock(DataType.Q6_K, new int[] {208}, 16, bytesOfSixBits());

  /** That of a type, or null if it is not laid out so. */
  static GroupedBlock of(DataType type) {
    return switch (type) {
      case Q4_0 -> Q4_0;
      case Q4_K -> Q4_K;
      case Q5_K -> Q5_K;
      case Q6_K -> Q6_K;
      default -> null;
    };
  }

  private static int[] run(int from, int end) {
    return IntStream.range(from, end).toArray();
  }

  // Scales; then four bytes of nibbles and the one with their fifth bits, for eight elements.
  private static int[] bytesOfFiveBits() {
    IntStream quanta =
        IntStream.range(0, 32).flatMap(i -> IntStream.of(48 + i, 80 + i, 112 + i, 144 + i, 16 + i));
    return IntStream.concat(IntStream.range(4, 16), quanta).toArray();
  }

  // Scales; then two bytes of nibbles and the one with their upper bits, for four elements.
  private static int[] bytesOfSixBits() {
    IntStream quanta =
        IntStream.range(0, 64)
            .flatMap(i -> IntStream.of(i / 32 * 64 + i % 32, i / 32 * 64 + i % 32 + 32, 128 + i));
    return IntStream.concat(IntStream.range(192, 208), quanta).toArray();
  }

  /** Bytes of a row's block that come first: halves and scales. */
  int headBytes() {
    return halves.length * Short.BYTES + scales;
  }

  /** Bytes of a row's block that come behind the heads of all blocks. */
  int quantaBytes() {
    return bytes.length - scales;
  }

  /** The first in the block of those that have places. */
  int firstByte() {
    return IntStream.of(bytes).min().orElseThrow();
  }

  /** The place of each byte from {@link #firstByte} on. */
  int[] places() {
    int[] places = new int[bytes.length];
    for (int place = 0; place < bytes.length; place++) {
      places[bytes[place] - firstByte()] = place;
    }
    return places;
  }
}
