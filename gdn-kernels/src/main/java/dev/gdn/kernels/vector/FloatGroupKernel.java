package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.GroupLanes.ROWS;
import static dev.gdn.kernels.vector.GroupLanes.WIDTH;
import static dev.gdn.kernels.vector.MatrixLanes.ORIGIN;

import dev.gdn.core.tensor.RowGroups;
import dev.gdn.core.tensor.WeightMatrix;

/** Products of blocks of 256 in float32, with tokens that were rounded to eight bits. */
final class FloatGroupKernel implements GroupKernel {
  private final RoundedStrips x;
  private final Q4KGroups q4k;
  private final Q5KGroups q5k;
  private final Q6KGroups q6k;
  // [rows / WIDTH, depth, WIDTH].
  private float[] panels = {};

  FloatGroupKernel(RoundedStrips x, Q4KGroups q4k, Q5KGroups q5k, Q6KGroups q6k) {
    this.x = x;
    this.q4k = q4k;
    this.q5k = q5k;
    this.q6k = q6k;
  }

  @Override
  public void decode(WeightMatrix matrix, int firstRow, int rows, int column, int depth) {
    if (panels.length == 0) {
      panels = new float[ORIGIN + MOST_ROWS * DEPTH];
    }
    byte[] data = RowGroups.bytes(matrix);
    for (int row = 0; row < rows; row += ROWS) {
      int head = RowGroups.start(matrix, firstRow + row);
      int quanta = head + RowGroups.headBytes(matrix);
      int to = ORIGIN + row * depth;
      switch (matrix.type()) {
        case Q4_K -> q4k.decode(data, head, quanta, column, depth, panels, to);
        case Q5_K -> q5k.decode(data, head, quanta, column, depth, panels, to);
        case Q6_K -> q6k.decode(data, head, quanta, column, depth, panels, to);
        default -> throw new IllegalArgumentException("no blocks of 256 in " + matrix.type());
      }
    }
  }

  // A tile's tokens stay in the nearest cache while they meet all rows.
  @Override
  public void multiply(int rows, int tokens, int column, int depth, float[] sums) {
    for (int t = 0, some; t < tokens; t += some) {
      some = PanelKernel.isTall(tokens - t) ? 2 * TOKENS : TOKENS;
      int from = x.at(column, t);
      for (int row = 0; row < rows; row += WIDTH) {
        int panel = ORIGIN + row * depth;
        int to = row * tokens + t * WIDTH;
        if (some > TOKENS) {
          TallFloatTile.multiply(x.values(), from, STRIDE, panels, panel, depth, sums, to);
        } else {
          FloatTile.wide(x.values(), from, STRIDE, panels, panel, depth, sums, to);
        }
      }
    }
  }
}
