package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.Lanes.COUNT;
import static dev.gdn.kernels.vector.Lanes.F;
import static dev.gdn.kernels.vector.Lanes.PANEL;
import static dev.gdn.kernels.vector.Tiles.ROWS;

import dev.gdn.core.kernel.RuleCall;
import dev.gdn.core.rule.CumulativeGate;
import dev.gdn.core.rule.StateUpdate;
import dev.gdn.core.tensor.TokenTensor;
import java.util.Arrays;
import jdk.incubator.vector.FloatVector;

/**
 * All that a chunk of one value head takes besides values and states: its decays, the two
 * triangular matrices that carry them, and the queries and keys as they meet the states.
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

  /**
   * −β_r e^(G_r−G_j) k_r·k_j for j &lt; r, {@code [rows, stride]}; 0 from the diagonal on. One row
   * more is scratch.
   */
  float[] system = {};

  /** s e^(G_r−G_j) q_r·k_j for j ≤ r, {@code [rows, stride]}; 0 past the diagonal. */
  float[] scores = {};

  /** Elements of a row of the two matrices. */
  int stride;

  /**
   * Q and K as they meet the state before the chunk, but for {@link #fromStart}, {@code [rows,
   * stride of the keys]}: those of the key head, or copies that have decayed.
   */
  float[] entryQueries = {};

  float[] entryKeys = {};

  /** K as it goes into the state after the chunk, but for {@link #toEnd}, likewise. */
  float[] exitKeys = {};

  /** Where each key channel has a gate of its own. */
  final ChannelDecay channels = new ChannelDecay();

  // G as the sum of two floats.
  private float[] high = {};
  private float[] low = {};
  private double[] cumulative = {};

  /**
   * Makes room for chunks of {@code rows} tokens, whole tiles.
   *
   * @param keyStride elements of a row of the keys
   */
  void reserve(RuleCall call, int rows, int keyStride) {
    reserve(rows);
    if (call.gates().gk() != null) {
      channels.reserve(rows, keyStride);
    }
  }

  /** The same where each value head has one gate. */
  void reserve(int rows) {
    stride = Lanes.roundUp(rows, PANEL);
    if (high.length < stride) {
      fromStart = new float[stride];
      toEnd = new float[stride];
      beta = new float[stride];
      high = new float[stride];
      low = new float[stride];
      cumulative = new double[stride];
      system = new float[(stride + 1) * stride];
      scores = new float[stride * stride];
    }
  }

  /** Computes everything for a value head. Rows past the last token have β = 0 and its G. */
  void load(RuleCall call, ChunkKeys keys, int head, int first, int tokens) {
    int rows = Lanes.roundUp(tokens, ROWS);
    loadBeta(call, head, first, tokens);
    if (call.gates().gk() == null) {
      loadGate(call, keys, head, first, tokens, rows);
    } else {
      loadChannels(call, keys, head, first, tokens, rows);
    }
    if (call.perValue() && call.parameters().update() == StateUpdate.ADDITIVE) {
      Arrays.fill(system, 0, tokens * stride, 0f);
    }
  }

  private void loadGate(RuleCall call, ChunkKeys keys, int head, int first, int tokens, int rows) {
    accumulate(call.g(), head, first, tokens);
    for (int j = 0; j < rows; j += COUNT) {
      columns(keys, j, rows, call.parameters().scale());
    }
    clearAboveDiagonal(rows);
    overall = fromStart[tokens - 1];
    entryQueries = keys.queries;
    entryKeys = keys.keys;
    exitKeys = keys.keys;
  }

  /** Computes the decays alone: {@link #system} is e^(G_r−G_j) for j ≤ r, the rest undefined. */
  void loadDecays(RuleCall call, int head, int first, int tokens) {
    int rows = Lanes.roundUp(tokens, ROWS);
    accumulate(call.g(), head, first, tokens);
    loadBeta(call, head, first, tokens);
    for (int j = 0; j < rows; j += COUNT) {
      exponentials(j, rows);
    }
    overall = fromStart[tokens - 1];
  }

  private void loadChannels(
      RuleCall call, ChunkKeys keys, int head, int first, int tokens, int rows) {
    channels.load(call, keys, this, head, first, tokens, rows);
    Arrays.fill(fromStart, 1f);
    Arrays.fill(toEnd, 1f);
    overall = 1;
    entryQueries = channels.entryQueries;
    entryKeys = channels.entryKeys;
    exitKeys = channels.exitKeys;
  }

  // Betas of single value channels come in later: ValueSweep.
  private void loadBeta(RuleCall call, int head, int first, int tokens) {
    TokenTensor b = call.beta();
    boolean one = call.perValue();
    for (int t = 0; t < tokens; t++) {
      beta[t] = one ? 1 : b.data()[b.at(first + t) + head];
    }
    Arrays.fill(beta, tokens, stride, 0f);
  }

  private void accumulate(TokenTensor g, int head, int first, int tokens) {
    CumulativeGate.sum(g.data(), g.at(first) + head, g.tokenStride(), cumulative, tokens);
    double sum = cumulative[tokens - 1];
    Arrays.fill(cumulative, tokens, stride, sum);
    for (int r = 0; r < stride; r++) {
      high[r] = (float) cumulative[r];
      low[r] = (float) (cumulative[r] - high[r]);
    }
  }

  // Everything for as many columns as a vector holds, from row `first` = the first column on. Short
  // loops, one after the other, and one exponential among them: C2 inlines only so much into a
  // method, and puts vectors on the heap where it stops.
  private void columns(ChunkKeys keys, int first, int rows, float scale) {
    int at = first * stride + first;
    int from = (first / PANEL * rows + first) * PANEL + first % PANEL;
    exponentials(first, rows);
    multiply(keys, from, first, rows, at, scale);
  }

  private void exponentials(int first, int rows) {
    int at = first * stride + first;
    differences(first, rows, at);
    // In a row of its own below: the differences to the chunk's start.
    System.arraycopy(high, first, system, rows * stride + first, COUNT);
    Exponentials.ofNegative(system, at, stride, rows - first + 1);
    System.arraycopy(system, rows * stride + first, fromStart, first, COUNT);
    System.arraycopy(system, (rows - 1) * stride + first, toEnd, first, COUNT);
  }

  private void differences(int first, int rows, int at) {
    FloatVector highs = FloatVector.fromArray(F, high, first);
    FloatVector lows = FloatVector.fromArray(F, low, first);
    for (int r = first; r < rows; r++, at += stride) {
      FloatVector difference = FloatVector.broadcast(F, high[r]).sub(highs);
      difference.add(FloatVector.broadcast(F, low[r]).sub(lows)).intoArray(system, at);
    }
  }

  private void multiply(ChunkKeys keys, int from, int first, int rows, int at, float scale) {
    for (int r = first; r < rows; r++, at += stride, from += PANEL) {
      FloatVector decay = FloatVector.fromArray(F, system, at);
      FloatVector keyKey = FloatVector.fromArray(F, keys.keyKey, from);
      FloatVector queryKey = FloatVector.fromArray(F, keys.queryKey, from);
      decay.mul(queryKey).mul(scale).intoArray(scores, at);
      decay.mul(keyKey).mul(-beta[r]).intoArray(system, at);
    }
  }

  // A tile of rows reads as far as its last row's diagonal.
  private void clearAboveDiagonal(int rows) {
    for (int r = 0; r < rows; r++) {
      int at = r * stride;
      int end = Math.max(r / COUNT * COUNT + COUNT, r / ROWS * ROWS + ROWS);
      Arrays.fill(system, at + r, at + end, 0f);
      Arrays.fill(scores, at + r + 1, at + end, 0f);
    }
  }
}
