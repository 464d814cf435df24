package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.Lanes.COUNT;
import static dev.gdn.kernels.vector.Lanes.PANEL;
import static dev.gdn.kernels.vector.Tiles.ROWS;

import dev.gdn.core.kernel.RuleCall;
import java.util.Arrays;

/**
 * What the value heads of one key head share in a chunk: its queries and keys, packed and
 * normalised, and their products K Kᵀ and Q Kᵀ.
 */
final class ChunkKeys {
  /**
   * Elements of a row of {@link #queries} and {@link #keys}: K, rounded up to whole tiles and whole
   * vectors.
   */
  int stride;

  /** Q, {@code [rows, stride]}, filled up with zeros. */
  float[] queries = {};

  /** K, {@code [rows, stride]}, filled up with zeros. */
  float[] keys = {};

  /** K Kᵀ in panels of columns, {@code [rows, PANEL]} each; right up to the diagonal. */
  float[] keyKey = {};

  /** Q Kᵀ likewise. */
  float[] queryKey = {};

  // Kᵀ in panels of tokens, [K, PANEL] each.
  private float[] transposed = {};
  private final UnitRows units = new UnitRows();

  /** Makes room for chunks of {@code rows} tokens, whole tiles. */
  void reserve(int rows, int keyWidth) {
    stride = Lanes.roundUp(keyWidth, Math.max(ROWS, COUNT));
    int columns = Lanes.roundUp(rows, PANEL);
    units.reserve(rows);
    if (keys.length < rows * stride) {
      queries = new float[rows * stride];
      keys = new float[rows * stride];
    }
    if (transposed.length < columns * stride) {
      transposed = new float[columns * stride];
    }
    if (keyKey.length < rows * columns) {
      keyKey = new float[rows * columns];
      queryKey = new float[rows * columns];
    }
  }

  /** Reads the tokens of a chunk. */
  void load(RuleCall call, int keyHead, int first, int tokens) {
    int rows = Lanes.roundUp(tokens, ROWS);
    boolean normalise = call.parameters().normalise();
    units.pack(call.q(), keyHead, first, tokens, rows, normalise, queries, stride);
    units.pack(call.k(), keyHead, first, tokens, rows, normalise, keys, stride);
    if (call.gates().gk() == null) {
      products(rows, call.keyWidth());
    }
  }

  // Where each key channel has a gate of its own, ChannelDecay has products of its own.
  private void products(int rows, int width) {
    int panels = Panels.count(rows);
    for (int p = 0; p < panels; p++) {
      transpose(p * PANEL, Math.min(PANEL, rows - p * PANEL), width, p * width * PANEL);
    }
    for (int p = 0; p < panels; p++) {
      Arrays.fill(keyKey, p * rows * PANEL, (p + 1) * rows * PANEL, 0f);
      Arrays.fill(queryKey, p * rows * PANEL, (p + 1) * rows * PANEL, 0f);
      for (int row = p * PANEL; row < rows; row += ROWS) {
        multiply(keys, row, p, rows, width, keyKey);
        multiply(queries, row, p, rows, width, queryKey);
      }
    }
  }

  // A tile of the product with the keys of panel p, up to the diagonal.
  private void multiply(float[] left, int row, int p, int rows, int width, float[] product) {
    int to = (p * rows + row) * PANEL;
    int right = p * width * PANEL;
    if (row + ROWS <= p * PANEL + COUNT) {
      Tiles.multiplyHalf(left, row * stride, stride, width, transposed, right, product, to);
    } else {
      Tiles.multiply(left, row * stride, stride, width, transposed, right, product, to);
    }
  }

  // Four rows at once, so that what is written stands together.
  private void transpose(int firstRow, int rows, int width, int to) {
    for (int row = 0; row < rows; row += 4) {
      transpose(keys, (firstRow + row) * stride, stride, transposed, to + row, width);
    }
  }

  private static void transpose(
      float[] from, int at, int stride, float[] transposed, int to, int width) {
    int row1 = at + stride;
    int row2 = row1 + stride;
    int row3 = row2 + stride;
    for (int i = 0; i < width; i++) {
      int column = to + i * PANEL;
      transposed[column] = from[at + i];
      transposed[column + 1] = from[row1 + i];
      transposed[column + 2] = from[row2 + i];
      transposed[column + 3] = from[row3 + i];
    }
  }
}
