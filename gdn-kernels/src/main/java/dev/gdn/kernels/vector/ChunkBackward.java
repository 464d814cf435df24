package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.Lanes.COUNT;
import static dev.gdn.kernels.vector.Lanes.PANEL;
import static dev.gdn.kernels.vector.Tiles.ROWS;

import dev.gdn.core.kernel.RuleCall;
import dev.gdn.core.rule.StateUpdate;
import java.util.Arrays;

/**
 * The backward pass of one chunk of one value head whose gates and betas are numbers per head. dX
 * stands for the derivative of the loss by X; o and S' are the chunk's outputs and last state, G
 * its cumulative gates. Forward it is
 *
 * <pre>
 *   P_rj = e^(G_r−G_j) k_r·k_j,  j &lt; r            B_rj = s e^(G_r−G_j) q_r·k_j,  j ≤ r
 *   x = V − diag(e^G) K S − P R                   R = diag(β) x
 *   o = s diag(e^G) Q S + B R                     S' = e^(G_last) S + Kᵀ diag(e^(G_last−G)) R
 * </pre>
 *
 * hence, with A = diag(β) P, (I + A) R = diag(β) (V − diag(e^G) K S). The derivative Z by that
 * right-hand side comes from backward substitution, and all else from Z:
 *
 * <pre>
 *   (I + A)ᵀ Z = Bᵀ do + diag(e^(G_last−G)) K dS'
 *   dv = diag(β) Z           dβ_r = x_r · Z_r
 *   y = s diag(e^G) do       w = −diag(e^G) dv
 *   dS = e^(G_last) dS' + Qᵀ y + Kᵀ w
 *   M_rj = s e^(G_r−G_j) do_r·R_j, the derivative by q_r·k_j
 *   N_rj = −β_r e^(G_r−G_j) Z_r·R_j, the derivative by k_r·k_j
 *   dq = y Sᵀ + M K
 *   dk = w Sᵀ + diag(e^(G_last−G)) R dS'ᵀ + Mᵀ Q + (N + Nᵀ) K
 * </pre>
 *
 * Where a decay e^(G_r−G_j) multiplies a term, the term times its derivative is added to dG_r and
 * taken off dG_j: M_rj q_r·k_j + N_rj k_r·k_j, and R_j·(e^(G_last−G_j) dS'ᵀ k_j) likewise from j to
 * the last token; q_r·(S y_r) + k_r·(S w_r) is added to dG_r, e^(G_last) ⟨S, dS'⟩ to that of the
 * last token. The update without delta term has x = V, and no A, w and N.
 *
 * <p>S and dS' stay in panels of value columns, and each panel goes through all steps while it is
 * in the nearest cache: six products of K V multiply-adds for each token, beside two of {@link
 * StateTrail}. As left-hand operands, S and dS' give the sums for dq and dk transposed, with tokens
 * as columns.
 */
final class ChunkBackward {
  /** do in panels of columns, {@code [rows, PANEL]} each; dv takes its place. */
  float[] outputs = {};

  /** dS', then dS, in panels of columns, {@code [stride of the keys, PANEL]} each. */
  float[] dState = {};

  /** dq and dk in panels of tokens, {@code [stride of the keys, PANEL]} each. */
  float[] dq = {};

  float[] dk = {};

  /** dβ and dG by token. */
  double[] dBeta = {};

  double[] dGate = {};

  private final ChunkKeys keys;
  private final ChunkDecay decay;
  private final ScoreBackward scores;
  // dS' Rᵀ and Qᵀ in panels of tokens.
  private float[] exits = {};
  private float[] queries = {};
  // One panel of R, Z, y and w, and of R, y and w with tokens as columns.
  private float[] residual = {};
  private float[] z = {};
  private float[] y = {};
  private float[] w = {};
  private float[] residualColumns = {};
  private float[] yColumns = {};
  private float[] wColumns = {};
  // s e^G and −β e^G.
  private float[] yFactors = {};
  private float[] wFactors = {};
  // By token: x_r · Z_r, and what a residual in the state after the chunk adds to its last gate.
  private float[] betaLanes = {};
  private float[] exitLanes = {};
  private final float[] lanes = new float[PANEL];
  private double stateProduct;

  ChunkBackward(ChunkKeys keys, ChunkDecay decay, ScoreBackward scores) {
    this.keys = keys;
    this.decay = decay;
    this.scores = scores;
  }

  /** Makes room for chunks of {@code rows} tokens, whole tiles, with so many panels of values. */
  void reserve(int rows, int panels) {
    int columns = Lanes.roundUp(rows, PANEL);
    if (outputs.length < panels * rows * PANEL) {
      outputs = new float[panels * rows * PANEL];
    }
    if (dState.length < panels * keys.stride * PANEL) {
      dState = new float[panels * keys.stride * PANEL];
    }
    if (queries.length < columns * keys.stride) {
      dq = new float[columns * keys.stride];
      dk = new float[columns * keys.stride];
      exits = new float[columns * keys.stride];
      queries = new float[columns * keys.stride];
    }
    if (exitLanes.length < columns * COUNT) {
      dBeta = new double[columns];
      dGate = new double[columns];
      residual = new float[columns * PANEL];
      z = new float[columns * PANEL];
      y = new float[columns * PANEL];
      w = new float[columns * PANEL];
      residualColumns = new float[columns * PANEL];
      yColumns = new float[columns * PANEL];
      wColumns = new float[columns * PANEL];
      yFactors = new float[columns];
      wFactors = new float[columns];
      betaLanes = new float[columns * COUNT];
      exitLanes = new float[columns * COUNT];
    }
  }

  /**
   * Runs a chunk, of which the keys and decays are loaded.
   *
   * @param state S in panels, as {@link #dState}
   * @param x in panels, as {@link #outputs}
   */
  void run(RuleCall call, float[] state, float[] x, int tokens) {
    int rows = Lanes.roundUp(tokens, ROWS);
    boolean delta = call.parameters().update() == StateUpdate.DELTA;
    float scale = call.parameters().scale();
    scores.rows(rows, scale);
    clear(rows, scale);
    int panels = Panels.count(call.valueWidth());
    for (int p = 0; p < panels; p++) {
      residuals(call.keyWidth(), delta, p, x, rows);
      products(delta, p, state, rows);
      state(delta, p, tokens);
    }
    scores.finish(rows, scale);
    gates(call.keyWidth(), tokens, rows);
    keys(call.keyWidth(), delta, rows);
  }

  private void clear(int rows, float scale) {
    int size = Lanes.roundUp(rows, PANEL) * keys.stride;
    Arrays.fill(dq, 0, size, 0f);
    Arrays.fill(dk, 0, size, 0f);
    Arrays.fill(exits, 0, size, 0f);
    Arrays.fill(betaLanes, 0f);
    Arrays.fill(exitLanes, 0f);
    stateProduct = 0;
    for (int r = 0; r < rows; r++) {
      yFactors[r] = scale * decay.fromStart[r];
      wFactors[r] = -decay.beta[r] * decay.fromStart[r];
    }
  }

  // R and Z of a panel, and what is computed of them token by token.
  private void residuals(int width, boolean delta, int p, float[] x, int rows) {
    int at = p * rows * PANEL;
    int matrix = scores.stride;
    PanelRows.scale(decay.beta, x, at, residual, 0, rows);
    Arrays.fill(z, 0, rows * PANEL, 0f);
    int stride = keys.stride;
    for (int r = 0; r < rows; r += ROWS) {
      Tiles.multiply(
          keys.keys, r * stride, stride, width, dState, p * stride * PANEL, z, r * PANEL);
    }
    PanelRows.scale(decay.toEnd, z, 0, z, 0, rows);
    PanelRows.addProducts(residual, 0, z, 0, exitLanes, rows);
    for (int r = rows - ROWS; r >= 0; r -= ROWS) {
      int tile = r * PANEL;
      Tiles.multiplyTransposed(
          scores.scores, r * matrix + r, matrix, rows - r, outputs, at + tile, z, tile, 1f);
      if (delta) {
        int next = r + ROWS;
        Tiles.multiplyTransposed(
            scores.system, next * matrix + r, matrix, rows - next, z, next * PANEL, z, tile, 1f);
        Substitution.solveTransposed(scores.system, r * matrix + r, matrix, z, tile);
      }
    }
    PanelRows.addProducts(x, at, z, 0, betaLanes, rows);
    PanelRows.scale(yFactors, outputs, at, y, 0, rows);
    PanelRows.scale(wFactors, z, 0, w, 0, rows);
  }

  // What a panel adds to the sums over the value's columns; dv.
  private void products(boolean delta, int p, float[] state, int rows) {
    int at = p * rows * PANEL;
    int stateAt = p * keys.stride * PANEL;
    Panels.transpose(residual, 0, PANEL, rows, PANEL, residualColumns, PANEL);
    Panels.transpose(y, 0, PANEL, rows, PANEL, yColumns, PANEL);
    addScores(outputs, at, rows, scores.queryKey);
    addToKeys(state, stateAt, yColumns, rows, dq);
    addToKeys(dState, stateAt, residualColumns, rows, exits);
    if (delta) {
      Panels.transpose(w, 0, PANEL, rows, PANEL, wColumns, PANEL);
      addScores(z, 0, rows, scores.keyKey);
      addToKeys(state, stateAt, wColumns, rows, dk);
    }
    stateProduct += PanelRows.dot(state, stateAt, dState, stateAt, keys.stride, lanes);
    PanelRows.scale(decay.beta, z, 0, outputs, at, rows);
  }

  // Adds the products with R up to the diagonal.
  private void addScores(float[] left, int at, int rows, float[] products) {
    for (int p = 0; p < Panels.count(rows); p++) {
      int right = p * PANEL * PANEL;
      for (int r = p * PANEL; r < rows; r += ROWS) {
        int to = (p * rows + r) * PANEL;
        if (r + ROWS <= p * PANEL + COUNT) {
          Tiles.multiplyHalf(
              left, at + r * PANEL, PANEL, PANEL, residualColumns, right, products, to);
        } else {
          Tiles.multiply(left, at + r * PANEL, PANEL, PANEL, residualColumns, right, products, to);
        }
      }
    }
  }

  // Adds the product of a panel of a state with columns of tokens.
  private void addToKeys(float[] state, int stateAt, float[] columns, int rows, float[] sums) {
    for (int p = 0; p < Panels.count(rows); p++) {
      int right = p * PANEL * PANEL;
      int to = p * keys.stride * PANEL;
      boolean half = rows - p * PANEL <= COUNT;
      for (int i = 0; i < keys.stride * PANEL; i += ROWS * PANEL) {
        if (half) {
          Tiles.multiplyHalf(state, stateAt + i, PANEL, PANEL, columns, right, sums, to + i);
        } else {
          Tiles.multiply(state, stateAt + i, PANEL, PANEL, columns, right, sums, to + i);
        }
      }
    }
  }

  // From dS' to dS of a panel.
  private void state(boolean delta, int p, int tokens) {
    int stride = keys.stride;
    for (int i = 0; i < stride; i += ROWS) {
      int to = (p * stride + i) * PANEL;
      Tiles.multiplyTransposed(keys.queries, i, stride, tokens, y, 0, dState, to, decay.overall);
      if (delta) {
        Tiles.multiplyTransposed(keys.keys, i, stride, tokens, w, 0, dState, to, 1f);
      }
    }
  }

  // dβ and dG. So far dq and dk have nothing but what comes from S.
  private void gates(int width, int tokens, int rows) {
    Panels.transpose(keys.queries, 0, keys.stride, rows, width, queries, width);
    Arrays.fill(dGate, 0);
    for (int p = 0; p < Panels.count(rows); p++) {
      int from = p * width * PANEL;
      int at = p * keys.stride * PANEL;
      PanelRows.addColumnProducts(queries, from, dq, at, width, dGate, p * PANEL);
      PanelRows.addColumnProducts(keys.transposed, from, dk, at, width, dGate, p * PANEL);
    }
    double end = decay.overall * stateProduct;
    for (int r = 0; r < tokens; r++) {
      double exit = PanelRows.sum(exitLanes, r);
      end += exit;
      dGate[r] += scores.gates[r] - exit;
      dBeta[r] = PanelRows.sum(betaLanes, r);
    }
    dGate[tokens - 1] += end;
  }

  // What dq and dk get from the state after the chunk and from other tokens.
  private void keys(int width, boolean delta, int rows) {
    int stride = keys.stride;
    for (int p = 0; p < Panels.count(rows); p++) {
      int at = p * stride * PANEL;
      int right = p * rows * PANEL;
      PanelRows.addByColumns(decay.toEnd, p * PANEL, exits, at, dk, at, width);
      for (int i = 0; i < stride; i += ROWS) {
        int to = at + i * PANEL;
        Tiles.multiplyTransposed(keys.keys, i, stride, rows, scores.keyQuery, right, dq, to, 1f);
        Tiles.multiplyTransposed(keys.queries, i, stride, rows, scores.queryKey, right, dk, to, 1f);
        if (delta) {
          Tiles.multiplyTransposed(keys.keys, i, stride, rows, scores.keyKey, right, dk, to, 1f);
        }
      }
    }
  }
}
