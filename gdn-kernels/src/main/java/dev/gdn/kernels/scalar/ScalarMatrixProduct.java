package dev.gdn.kernels.scalar;

import dev.gdn.core.concurrent.Workers;
import dev.gdn.core.kernel.MatrixProduct;
import dev.gdn.core.kernel.Projection;
import dev.gdn.core.tensor.Rows;
import dev.gdn.core.tensor.TokenTensor;
import dev.gdn.core.tensor.WeightMatrix;

/** y[t, r] = Σ_c w[r, c] · x[t, c], in blocks of rows; a row is decoded once for all tokens. */
final class ScalarMatrixProduct implements MatrixProduct {
  private static final int ROWS = 32;

  private final Workers workers;
  private final Scratch scratch;

  ScalarMatrixProduct(Workers workers) {
    this.workers = workers;
    this.scratch = new Scratch(workers);
  }

  @Override
  public void multiply(TokenTensor x, int tokens, Projection... projections) {
    int parts = 0;
    for (Projection projection : projections) {
      projection.check(x, tokens);
      parts += blocks(projection);
    }
    if (tokens > 0) {
      workers.run(parts, (part, worker) -> block(x, tokens, projections, part, worker));
    }
  }

  private static int blocks(Projection projection) {
    return (projection.weight().rows() + ROWS - 1) / ROWS;
  }

  private void block(TokenTensor x, int tokens, Projection[] projections, int part, int worker) {
    int p = 0;
    int block = part;
    while (block >= blocks(projections[p])) {
      block -= blocks(projections[p]);
      p++;
    }
    WeightMatrix weight = projections[p].weight();
    TokenTensor y = projections[p].output();
    int columns = weight.columns();
    float[] row = scratch.of(worker, columns);
    int end = Math.min(weight.rows(), (block + 1) * ROWS);
    for (int r = block * ROWS; r < end; r++) {
      weight.decodeRow(r, row, 0);
      for (int t = 0; t < tokens; t++) {
        y.data()[y.at(t) + r] = Rows.dot(row, 0, x.data(), x.at(t), columns);
      }
    }
  }
}
