package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.Lanes.COUNT;
import static dev.gdn.kernels.vector.Lanes.F;
import static dev.gdn.kernels.vector.Lanes.PANEL;
import static dev.gdn.kernels.vector.Tiles.ROWS;

import dev.gdn.core.rule.CumulativeGate;
import dev.gdn.core.tensor.TokenTensor;
import java.util.Arrays;
import jdk.incubator.vector.FloatVector;

/**
 * The decays of one value head in a chunk, and the two triangular matrices that carry them.
 *
 * <p>The cumulative gate G is summed in float64 and kept as two float32 numbers, so that a
 * difference of two large sums is as exact as a float32 can be. Only differences that are at most 0
 * are exponentiated, and what a mask excludes is set to 0.
 */
final class ChunkDecay {
  /** e^(G_r): what is left at row r of the state before the chunk. */
  float[] fromStart = {};

  /** e^(G_last − G_r): what is left of row r after the chunk. */
  float[] toEnd = {};

  /** e^(G_last): what is left of the state after the chunk. */
  float overall;

  /** β_r. */
  float[] beta = {};

  /** −β_r e^(G_r−G_j) k_r·k_j for j &lt; r, {@code [rows, stride]}; 0 from the diagonal on. */
  float[] system = {};

  /** s e^(G_r−G_j) q_r·k_j for j ≤ r, {@code [rows, stride]}; 0 past the diagonal. */
  float[] scores = {};

  /** Elements of a row of the two matrices. */
  int stride;

  // G as the sum of two floats.
  private float[] high = {};
  private float[] low = {};
  private double[] cumulative = {};

  /** Makes room for chunks of {@code rows} tokens, whole tiles. */
  void reserve(int rows) {
    stride = Lanes.roundUp(rows, PANEL);
    if (high.length < stride) {
      fromStart = new float[stride];
      toEnd = new float[stride];
      beta = new float[stride];
      high = new float[stride];
      low = new float[stride];
      cumulative = new double[stride];
      system = new float[stride * stride];
      scores = new float[stride * stride];
    }
  }

  /** Computes everything for a value head. Rows past the last token have β = 0 and its G. */
  void load(RuleCall call, ChunkKeys keys, int head, int first, int tokens, int rows) {
    accumulate(call.g, head, first, tokens);
    TokenTensor b = call.beta;
    for (int t = 0; t < tokens; t++) {
      beta[t] = b.data()[b.at(first + t) + head];
    }
    Arrays.fill(beta, tokens, stride, 0f);
    for (int r = 0; r < stride; r += COUNT) {
      exponentiate(fromStart, r);
      exponentiate(toEnd, r);
    }
    overall = fromStart[tokens - 1];
    for (int r = 0; r < rows; r++) {
      triangularRow(keys, r, rows, call.parameters.scale());
    }
  }

  private void accumulate(TokenTensor g, int head, int first, int tokens) {
    CumulativeGate.sum(g.data(), g.at(first) + head, g.tokenStride(), cumulative, tokens);
    double sum = cumulative[tokens - 1];
    Arrays.fill(cumulative, tokens, stride, sum);
    for (int r = 0; r < stride; r++) {
      high[r] = (float) cumulative[r];
      low[r] = (float) (cumulative[r] - high[r]);
      fromStart[r] = high[r];
      toEnd[r] = (float) (sum - cumulative[r]);
    }
  }

  private static void exponentiate(float[] x, int at) {
    VectorMath.exp(FloatVector.fromArray(F, x, at)).intoArray(x, at);
  }

  private void triangularRow(ChunkKeys keys, int r, int rows, float scale) {
    int to = r * stride;
    float[] keyKey = keys.keyKey;
    float[] queryKey = keys.queryKey;
    for (int j = 0; j <= r; j += COUNT) {
      int from = (j / PANEL * rows + r) * PANEL + j % PANEL;
      FloatVector difference =
          FloatVector.fromArray(F, high, j)
              .neg()
              .add(high[r])
              .add(FloatVector.fromArray(F, low, j).neg().add(low[r]));
      // Above 0 only where the mask excludes it.
      FloatVector decay = VectorMath.exp(difference.min(0f));
      decay.mul(-beta[r]).mul(FloatVector.fromArray(F, keyKey, from)).intoArray(system, to + j);
      decay.mul(scale).mul(FloatVector.fromArray(F, queryKey, from)).intoArray(scores, to + j);
    }
    int end = Math.max(r / COUNT * COUNT + COUNT, r / ROWS * ROWS + ROWS);
    Arrays.fill(system, to + r, to + end, 0f);
    Arrays.fill(scores, to + r + 1, to + end, 0f);
  }
}
