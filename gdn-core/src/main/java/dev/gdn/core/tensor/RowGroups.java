package dev.gdn.core.tensor;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * {@link RowLayout#GROUPS}: what 32 rows have in the same place lies together. First come the heads
 * of the rows' first blocks, then those of their second blocks, and so on: binary16 numbers of all
 * rows, then bytes that are scales, of all rows each. Behind these come the quanta in the same
 * order. A vector load takes a byte of every row, no lane has to meet another in a product, and a
 * product reads memory in its order.
 *
 * <p>Of Q4_0 and Q4_K the bytes come in the order in which a block has them. Of Q5_K bytes i, i +
 * 32, i + 64 and i + 96 of the nibbles come with byte i of the fifth bits, of Q6_K bytes i and i +
 * 32 with byte i of the upper bits.
 *
 * <p>It is a permutation of the bytes of {@link #ROWS} rows: nothing is rounded and nothing grows.
 */
public final class RowGroups {
  /** Rows of a group. */
  public static final int ROWS = 32;

  private RowGroups() {}

  /** Whether matrices of a type can be laid out so: those of Q4_0, Q4_K, Q5_K and Q6_K can. */
  public static boolean covers(DataType type) {
    return GroupedBlock.of(type) != null;
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

  /** Bytes of the heads of a group's blocks: where its quanta start. */
  public static int headBytes(WeightMatrix matrix) {
    GroupedBlock block = GroupedBlock.of(matrix.type());
    return matrix.columns() / block.type().blockElements() * block.headBytes() * ROWS;
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
    GroupSpreader spreader = new GroupSpreader(source, target);
    for (int group = firstGroup; group < firstGroup + groups; group++) {
      spreader.spread(group);
    }
  }

  /** Decodes one row, block by block, each put together again first. */
  static void decodeRow(WeightMatrix matrix, int row, float[] target, int offset) {
    GroupedBlock block = GroupedBlock.of(matrix.type());
    byte[] stored = new byte[matrix.type().blockBytes()];
    MemorySegment data = MemorySegment.ofArray(stored);
    int elements = matrix.type().blockElements();
    int head = start(matrix, row);
    int quanta = head + headBytes(matrix);
    for (int column = 0; column < matrix.columns(); column += elements) {
      collect(block, bytes(matrix), head, quanta, row % ROWS, stored);
      BlockDecoder.decode(matrix.type(), data, 0, target, offset + column, elements);
      head += block.headBytes() * ROWS;
      quanta += block.quantaBytes() * ROWS;
    }
  }

  private static void collect(
      GroupedBlock block, byte[] data, int head, int quanta, int row, byte[] stored) {
    for (int half : block.halves()) {
      stored[half] = data[head + row * Short.BYTES];
      stored[half + 1] = data[head + row * Short.BYTES + 1];
      head += ROWS * Short.BYTES;
    }
    for (int place = 0; place < block.bytes().length; place++) {
      int from = place < block.scales() ? head : quanta - block.scales() * ROWS;
      stored[block.bytes()[place]] = data[from + place * ROWS + row];
    }
  }
}
