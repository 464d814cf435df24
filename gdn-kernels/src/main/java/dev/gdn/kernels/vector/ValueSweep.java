package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.Lanes.COUNT;
import static dev.gdn.kernels.vector.Lanes.F;
import static dev.gdn.kernels.vector.Lanes.PANEL;

import dev.gdn.core.kernel.RuleCall;
import dev.gdn.core.tensor.TokenTensor;
import java.util.Arrays;
import jdk.incubator.vector.FloatVector;

/**
 * Residual and output of a chunk where gates or betas differ from one value channel to another, by
 * forward substitution in each: {@link dev.gdn.core.rule.ValueSweep} has the formulas. The rows
 * that are known decay along with the sweep.
 */
final class ValueSweep {
  // e^gv and β in panels of columns, [rows, PANEL] each.
  private float[] decays = {};
  private float[] betas = {};
  // e^gv, multiplied up from the chunk's start; and what the known rows give the row at hand.
  private final float[] fromStart = new float[PANEL];
  private final float[] read = new float[PANEL];
  private final float[] output = new float[PANEL];
  // A row of gates or betas.
  private float[] row = {};

  /** Makes room for chunks of {@code rows} tokens, whole tiles. */
  void reserve(int rows, int valueWidth) {
    int size = Panels.count(valueWidth) * rows * PANEL;
    if (decays.length < size) {
      decays = new float[size];
      betas = new float[size];
    }
    if (row.length < valueWidth) {
      row = new float[valueWidth];
    }
  }

  /** Reads the gates and betas of a value head, for some of its columns. */
  void load(
      RuleCall call, int head, int first, int tokens, int rows, int firstColumn, int columns) {
    int width = call.valueWidth();
    TokenTensor gv = call.gates().gv();
    for (int t = 0; t < tokens; t++) {
      if (gv == null) {
        Arrays.fill(row, 0, width, 0f);
      } else {
        System.arraycopy(gv.data(), gv.at(first + t, head), row, 0, width);
      }
      Panels.put(row, firstColumn, columns, decays, t * PANEL, rows * PANEL);
      call.gates().gatherBeta(first + t, head, call.valueHeads(), row, 0, width);
      Panels.put(row, firstColumn, columns, betas, t * PANEL, rows * PANEL);
    }
    for (int p = 0; p < Panels.count(columns); p++) {
      Exponentials.ofNegative(decays, p * rows * PANEL, COUNT, tokens * PANEL / COUNT);
    }
  }

  /**
   * Runs a panel.
   *
   * @param decay of the chunk, with betas of 1
   * @param at where the panel stands in the values and outputs
   * @param residual K S on entry, without decay; the residual on return
   * @param outputs Q S on entry, without decay; the outputs on return
   */
  void run(
      ChunkDecay decay,
      float scale,
      float[] values,
      int at,
      float[] residual,
      float[] outputs,
      int tokens) {
    Arrays.fill(fromStart, 1f);
    for (int r = 0; r < tokens; r++) {
      int matrix = r * decay.stride;
      known(decay.system, decay.scores, matrix, residual, at + r * PANEL, r);
      float left = decay.fromStart[r];
      float own = decay.scores[matrix + r];
      for (int i = 0; i < PANEL; i += COUNT) {
        int to = at + r * PANEL + i;
        FloatVector entry = FloatVector.fromArray(F, fromStart, i);
        entry = entry.mul(FloatVector.fromArray(F, decays, to));
        entry.intoArray(fromStart, i);
        entry = entry.mul(left);
        FloatVector state = FloatVector.fromArray(F, residual, r * PANEL + i);
        FloatVector u = FloatVector.fromArray(F, values, to).sub(state.mul(entry));
        u = u.add(FloatVector.fromArray(F, read, i)).mul(FloatVector.fromArray(F, betas, to));
        u.intoArray(residual, r * PANEL + i);
        FloatVector o = FloatVector.fromArray(F, outputs, to).mul(entry).mul(scale);
        o = o.add(FloatVector.fromArray(F, output, i));
        u.fma(FloatVector.broadcast(F, own), o).intoArray(outputs, to);
      }
    }
  }

  // Lets the first rows of the residual decay by a token, and adds them up with the token's row of
  // the two matrices.
  private void known(
      float[] system, float[] scores, int matrix, float[] residual, int token, int rows) {
    FloatVector d0 = FloatVector.fromArray(F, decays, token);
    FloatVector d1 = FloatVector.fromArray(F, decays, token + COUNT);
    FloatVector u0 = FloatVector.zero(F);
    FloatVector u1 = u0;
    FloatVector o0 = u0;
    FloatVector o1 = u0;
    for (int j = 0; j < rows; j++) {
      FloatVector x = FloatVector.fromArray(F, residual, j * PANEL).mul(d0);
      FloatVector y = FloatVector.fromArray(F, residual, j * PANEL + COUNT).mul(d1);
      x.intoArray(residual, j * PANEL);
      y.intoArray(residual, j * PANEL + COUNT);
      FloatVector key = FloatVector.broadcast(F, system[matrix + j]);
      FloatVector query = FloatVector.broadcast(F, scores[matrix + j]);
      u0 = x.fma(key, u0);
      u1 = y.fma(key, u1);
      o0 = x.fma(query, o0);
      o1 = y.fma(query, o1);
    }
    u0.intoArray(read, 0);
    u1.intoArray(read, COUNT);
    o0.intoArray(output, 0);
    o1.intoArray(output, COUNT);
  }

  /** Lets the columns of a panel of the state decay over the chunk that was run last. */
  void decay(float[] states, int at, int rows) {
    for (int i = 0; i < rows; i++) {
      for (int c = 0; c < PANEL; c += COUNT) {
        int to = at + i * PANEL + c;
        FloatVector left = FloatVector.fromArray(F, fromStart, c);
        FloatVector.fromArray(F, states, to).mul(left).intoArray(states, to);
      }
    }
  }
}
