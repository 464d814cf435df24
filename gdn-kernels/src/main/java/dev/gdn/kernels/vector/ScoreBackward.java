package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.Lanes.PANEL;
import static dev.gdn.kernels.vector.Tiles.ROWS;

import java.util.Arrays;

/**
 * What relates the tokens of a chunk to each other in the backward pass of one value head. {@link
 * ChunkBackward} has the formulas.
 */
final class ScoreBackward {
  /**
   * Of {@link #columns}: −e^(G_r−G_j) k_r·k_j β_j for j &lt; r; of {@link #rows}: −β_r e^(G_r−G_j)
   * k_r·k_j; {@code [rows, stride]}.
   */
  float[] system = {};

  /** s e^(G_r−G_j) q_r·k_j for j ≤ r, {@code [rows, stride]}; 0 after that, within the tile. */
  float[] scores = {};

  /** Elements of a row of these two. */
  int stride;

  /**
   * In panels of columns, {@code [rows, PANEL]} each. Before {@link #finish} do_r·R_j, after it the
   * derivative M by q_r·k_j.
   */
  float[] queryKey = {};

  /** The transpose of that. */
  float[] keyQuery = {};

  /**
   * Likewise. Before {@link #finish} Z_r·R_j, after it the derivative N by k_r·k_j plus its
   * transpose: both for j &lt; r and for j &gt; r.
   */
  float[] keyKey = {};

  /** The part of the derivative by G_r that comes from the two matrices. */
  double[] gates = {};

  private final ChunkKeys keys;
  private final ChunkDecay decay;

  ScoreBackward(ChunkKeys keys, ChunkDecay decay) {
    this.keys = keys;
    this.decay = decay;
  }

  /** Makes room for chunks of {@code rows} tokens, whole tiles. */
  void reserve(int rows) {
    stride = Lanes.roundUp(rows, PANEL);
    if (gates.length < stride) {
      system = new float[stride * stride];
      scores = new float[stride * stride];
      queryKey = new float[stride * stride];
      keyQuery = new float[stride * stride];
      keyKey = new float[stride * stride];
      gates = new double[stride];
    }
  }

  /** The system of x, whose columns have the betas. */
  void columns(int rows) {
    for (int r = 0; r < rows; r++) {
      product(keys.keyKey, rows, r, r, -1, system);
      for (int j = r * stride; j < r * stride + r; j++) {
        system[j] *= decay.beta[j - r * stride];
      }
    }
  }

  /** The system of the residual, whose rows have the betas, and the scores. */
  void rows(int rows, float scale) {
    for (int r = 0; r < rows; r++) {
      product(keys.keyKey, rows, r, r, -decay.beta[r], system);
      product(keys.queryKey, rows, r, r + 1, scale, scores);
    }
    Arrays.fill(queryKey, 0, stride * stride, 0f);
    Arrays.fill(keyKey, 0, stride * stride, 0f);
  }

  // The first columns of row r of a product, with decay; zeros up to the end of the tile.
  private void product(float[] panels, int rows, int r, int columns, float factor, float[] target) {
    int to = r * stride;
    for (int first = 0; first < columns; first += PANEL) {
      int from = (first / PANEL * rows + r) * PANEL;
      int count = Math.min(PANEL, columns - first);
      multiply(
          factor, decay.system, r * decay.stride + first, panels, from, target, to + first, count);
    }
    Arrays.fill(target, to + columns, to + r / ROWS * ROWS + ROWS, 0f);
  }

  private static void multiply(
      float factor, float[] x, int xAt, float[] y, int yAt, float[] z, int zAt, int n) {
    for (int i = 0; i < n; i++) {
      z[zAt + i] = factor * x[xAt + i] * y[yAt + i];
    }
  }

  /** Once the products with R are there. */
  void finish(int rows, float scale) {
    Arrays.fill(gates, 0);
    for (int r = 0; r < rows; r++) {
      double gate = 0;
      for (int j = 0; j < r; j++) {
        int at = (j / PANEL * rows + r) * PANEL + j % PANEL;
        int flipped = (r / PANEL * rows + j) * PANEL + r % PANEL;
        float between = decay.system[r * decay.stride + j];
        double term = (double) queryKey[at] * scores[r * stride + j];
        term += (double) keyKey[at] * system[r * stride + j];
        gate += term;
        gates[j] -= term;
        float query = scale * between * queryKey[at];
        float key = -decay.beta[r] * between * keyKey[at];
        queryKey[at] = query;
        keyQuery[flipped] = query;
        queryKey[flipped] = 0;
        keyQuery[at] = 0;
        keyKey[at] = key;
        keyKey[flipped] = key;
      }
      gates[r] += gate;
      int own = (r / PANEL * rows + r) * PANEL + r % PANEL;
      queryKey[own] *= scale;
      keyQuery[own] = queryKey[own];
      keyKey[own] = 0;
    }
  }
}
