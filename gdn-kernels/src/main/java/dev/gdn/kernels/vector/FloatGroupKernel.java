package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.GroupLanes.ROWS;
import static dev.gdn.kernels.vector.GroupLanes.WIDTH;

import dev.gdn.core.tensor.WeightMatrix;

/** Products in float32: rows stand in the lanes of {@link FloatTile}, tokens are its rows. */
final class FloatGroupKernel implements GroupKernel {
  private final TokenStrips x;
  private final GroupsByType groupsByType;
  private final float[] panels = new float[GROUPS * DEPTH * ROWS];

  FloatGroupKernel(TokenStrips x, GroupsByType groupsByType) {
    this.x = x;
    this.groupsByType = groupsByType;
  }

  @Override
  public void decode(WeightMatrix matrix, int firstRow, int rows, int column, int depth) {
    GroupedRows groups = groupsByType.of(matrix.type());
    for (int row = 0; row < rows; row += ROWS) {
      int from = GroupLanes.at(matrix, firstRow + row);
      groups.decode(
          GroupLanes.bytes(matrix), from, matrix.columns(), column, depth, panels, row * depth);
    }
  }

  @Override
  public void multiply(int rows, int tokens, int column, int depth, float[] sums) {
    for (int row = 0; row < rows; row += WIDTH) {
      for (int t = 0; t < tokens; t += TOKENS) {
        FloatTile.wide(
            x.data(),
            x.at(column, t),
            STRIDE,
            panels,
            row * depth,
            depth,
            sums,
            row * tokens + t * WIDTH);
      }
    }
  }
}
