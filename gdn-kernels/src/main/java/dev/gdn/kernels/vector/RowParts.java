package dev.gdn.kernels.vector;

import dev.gdn.core.kernel.Projection;

/** How the rows of several matrices are cut into parts that workers take. Reused; not shared. */
final class RowParts {
  private Projection[] projections;
  private int rowsPerPart;
  private int[] firstPart = new int[9];

  /** Cuts every matrix into parts of {@code rowsPerPart} rows, the last of each perhaps shorter. */
  void cut(int rowsPerPart, Projection... projections) {
    this.projections = projections;
    this.rowsPerPart = rowsPerPart;
    if (firstPart.length <= projections.length) {
      firstPart = new int[projections.length + 1];
    }
    for (int i = 0; i < projections.length; i++) {
      int rows = projections[i].weight().rows();
      firstPart[i + 1] = firstPart[i] + (rows - 1) / rowsPerPart + 1;
    }
  }

  /** Lets go of the matrices. */
  void clear() {
    projections = null;
  }

  int count() {
    return firstPart[projections.length];
  }

  /** Which of the matrices a part belongs to. */
  int matrix(int part) {
    int i = 0;
    while (part >= firstPart[i + 1]) {
      i++;
    }
    return i;
  }

  Projection projection(int matrix) {
    return projections[matrix];
  }

  int firstRow(int part, int matrix) {
    return (part - firstPart[matrix]) * rowsPerPart;
  }

  int rows(int part, int matrix) {
    return Math.min(rowsPerPart, projections[matrix].weight().rows() - firstRow(part, matrix));
  }
}
