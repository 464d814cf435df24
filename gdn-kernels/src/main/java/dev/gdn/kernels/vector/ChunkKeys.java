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

  /** Kᵀ in panels of tokens, {@code [K, PANEL]} each. */
  float[] transposed = {};

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

  /** Reads the keys alone, for {@link #keyKey}; the queries and their product stay behind. */
  void loadKeys(RuleCall call, int keyHead, int first, int tokens) {
    int rows = Lanes.roundUp(tokens, ROWS);
    boolean normalise = call.parameters().normalise();
    units.pack(call.k(), keyHead, first, tokens, rows, normalise, keys, stride);
    Panels.transpose(keys, 0, stride, rows, call.keyWidth(), transposed, call.keyWidth());
    product(keys, rows, call.keyWidth(), keyKey);
  }

  // Where each key channel has a gate of its own, ChannelDecay has products of its own.
  private void products(int rows, int width) {
    Panels.transpose(keys, 0, stride, rows, width, transposed, width);
    product(keys, rows, width, keyKey);
    product(queries, rows, width, queryKey);
  }

  private void product(float[] left, int rows, int width, float[] product) {
    Arrays.fill(product, 0, Panels.count(rows) * rows * PANEL, 0f);
    for (int p = 0; p < Panels.count(rows); p++) {
      for (int row = p * PANEL; row < rows; row += ROWS) {
        multiply(left, row, p, rows, width, product);
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
}
