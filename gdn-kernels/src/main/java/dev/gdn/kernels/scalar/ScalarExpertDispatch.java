package dev.gdn.kernels.scalar;

import dev.gdn.core.concurrent.Workers;
import dev.gdn.core.kernel.ExpertDispatch;
import dev.gdn.core.kernel.ExpertRoutes;
import dev.gdn.core.tensor.Rows;
import dev.gdn.core.tensor.TokenTensor;

/** Rows to experts and back, each output row by one worker. */
final class ScalarExpertDispatch implements ExpertDispatch {
  private final Workers workers;

  ScalarExpertDispatch(Workers workers) {
    this.workers = workers;
  }

  @Override
  public void gather(TokenTensor x, ExpertRoutes routes, TokenTensor y) {
    x.check("tokens of experts", routes.tokens(), 1, x.width());
    y.check("rows of experts", routes.rows(), 1, x.width());
    workers.run(
        routes.rows(),
        (row, worker) ->
            System.arraycopy(
                x.data(), x.at(routes.tokenOf()[row]), y.data(), y.at(row), x.width()));
  }

  @Override
  public void scatterAdd(TokenTensor x, ExpertRoutes routes, TokenTensor y) {
    x.check("rows of experts", routes.rows(), 1, x.width());
    y.check("tokens of experts", routes.tokens(), 1, x.width());
    workers.run(
        routes.tokens(),
        (t, worker) -> {
          for (int pair = t * routes.chosen(); pair < (t + 1) * routes.chosen(); pair++) {
            int from = x.at(routes.rowOf()[pair]);
            Rows.addScaled(routes.weightOf()[pair], x.data(), from, y.data(), y.at(t), x.width());
          }
        });
  }
}
