package dev.gdn.kernels.vector;

import dev.gdn.core.concurrent.Workers;
import dev.gdn.core.kernel.ExpertDispatch;
import dev.gdn.core.kernel.ExpertRoutes;
import dev.gdn.core.tensor.TokenTensor;

/** Rows to experts and back, spread over blocks of output rows. */
final class VectorExpertDispatch implements ExpertDispatch {
  private final Workers workers;
  private final Workers.Task gatherTask = this::gatherBlock;
  private final Workers.Task scatterTask = this::scatterBlock;

  // The arguments of the call in progress.
  private TokenTensor x;
  private ExpertRoutes routes;
  private TokenTensor y;
  private int block;

  VectorExpertDispatch(Workers workers) {
    this.workers = workers;
  }

  @Override
  public void gather(TokenTensor x, ExpertRoutes routes, TokenTensor y) {
    x.check("tokens of experts", routes.tokens(), 1, x.width());
    y.check("rows of experts", routes.rows(), 1, x.width());
    run(x, routes, y, routes.rows(), x.width(), gatherTask);
  }

  @Override
  public void scatterAdd(TokenTensor x, ExpertRoutes routes, TokenTensor y) {
    x.check("rows of experts", routes.rows(), 1, x.width());
    y.check("tokens of experts", routes.tokens(), 1, x.width());
    run(x, routes, y, routes.tokens(), x.width() * routes.chosen(), scatterTask);
  }

  private void run(
      TokenTensor x,
      ExpertRoutes routes,
      TokenTensor y,
      int rows,
      int elements,
      Workers.Task task) {
    this.x = x;
    this.routes = routes;
    this.y = y;
    block = TokenBlocks.size(elements);
    workers.run(TokenBlocks.count(rows, block), task);
  }

  private void gatherBlock(int part, int worker) {
    int end = Math.min(routes.rows(), (part + 1) * block);
    for (int row = part * block; row < end; row++) {
      int from = x.at(routes.tokenOf()[row]);
      System.arraycopy(x.data(), from, y.data(), y.at(row), x.width());
    }
  }

  private void scatterBlock(int part, int worker) {
    int end = Math.min(routes.tokens(), (part + 1) * block);
    for (int t = part * block; t < end; t++) {
      for (int pair = t * routes.chosen(); pair < (t + 1) * routes.chosen(); pair++) {
        int from = x.at(routes.rowOf()[pair]);
        float weight = routes.weightOf()[pair];
        Lanes.addScaled(weight, x.data(), from, y.data(), y.at(t), x.width());
      }
    }
  }
}
