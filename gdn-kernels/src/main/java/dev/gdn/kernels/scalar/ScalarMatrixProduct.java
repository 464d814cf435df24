package dev.gdn.kernels.scalar;

import dev.gdn.core.concurrent.Workers;
import dev.gdn.core.kernel.ExpertProjection;
import dev.gdn.core.kernel.ExpertRoutes;
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
      parts += blocks(projection.weight());
    }
    if (tokens > 0) {
      workers.run(parts, (part, worker) -> block(x, tokens, projections, part, worker));
    }
  }

  @Override
  public void multiplyExperts(TokenTensor x, ExpertRoutes routes, ExpertProjection... projections) {
    for (ExpertProjection projection : projections) {
      projection.check(x, routes);
      int blocks = blocks(projection.weights().getFirst());
      workers.run(
          routes.groups() * blocks,
          (part, worker) -> {
            int group = part / blocks;
            WeightMatrix weight = projection.weights().get(routes.expert(group));
            int first = routes.firstRow(group);
            int end = routes.firstRow(group + 1);
            block(x, first, end, weight, projection.output(), part % blocks, worker);
          });
    }
  }

  private static int blocks(WeightMatrix weight) {
    return (weight.rows() + ROWS - 1) / ROWS;
  }

  private void block(TokenTensor x, int tokens, Projection[] projections, int part, int worker) {
    int p = 0;
    int block = part;
    while (block >= blocks(projections[p].weight())) {
      block -= blocks(projections[p].weight());
      p++;
    }
    block(x, 0, tokens, projections[p].weight(), projections[p].output(), block, worker);
  }

  /** The rows of a block with the tokens from {@code first} to {@code end - 1}. */
  private void block(
      TokenTensor x,
      int first,
      int end,
      WeightMatrix weight,
      TokenTensor y,
      int block,
      int worker) {
    int columns = weight.columns();
    float[] row = scratch.of(worker, columns);
    int lastRow = Math.min(weight.rows(), (block + 1) * ROWS) - 1;
    for (int r = block * ROWS; r <= lastRow; r++) {
      weight.decodeRow(r, row, 0);
      for (int t = first; t < end; t++) {
        y.data()[y.at(t) + r] = Rows.dot(row, 0, x.data(), x.at(t), columns);
      }
    }
  }
}
