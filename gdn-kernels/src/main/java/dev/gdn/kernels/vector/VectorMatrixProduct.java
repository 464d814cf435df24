package dev.gdn.kernels.vector;

import dev.gdn.core.concurrent.Workers;
import dev.gdn.core.kernel.MatrixProduct;
import dev.gdn.core.kernel.Projection;
import dev.gdn.core.tensor.DataType;
import dev.gdn.core.tensor.TokenTensor;
import java.util.Arrays;

/**
 * Matrix products on the Vector API. Few tokens are memory-bound: each row is read once and
 * multiplied as it comes. Many are bound by arithmetic: rows are decoded once for a block of tokens
 * and multiplied in register tiles. What a row gives does not depend on who computes it.
 */
final class VectorMatrixProduct implements MatrixProduct {
  private static final int FEW_TOKENS = 4;

  /** Tokens that decoded rows are used for; bounds the scratch memory. */
  private static final int BLOCK_TOKENS = 512;

  private static final int PANEL_ROWS = 8 * FloatTile.ROWS;

  /** Bytes of weights that are worth a worker's turn. */
  private static final int PART_BYTES = 48 << 10;

  private final Workers workers;
  private final Workers.Task rowTask = this::multiplyRows;
  private final Workers.Task packTask = this::packTokens;
  private final Workers.Task panelTask = this::multiplyPanels;
  private final RowProduct[] rowProducts;
  private final FloatPanelProduct[] panelProducts;
  private final RowParts parts = new RowParts();
  private final TokenPanels panels = new TokenPanels();
  private final QuantizedTokens quantized = new QuantizedTokens();
  private TokenTensor x;
  private int firstToken;
  private int tokens;

  VectorMatrixProduct(Workers workers) {
    this.workers = workers;
    this.rowProducts = new RowProduct[workers.threads()];
    this.panelProducts = new FloatPanelProduct[workers.threads()];
    Arrays.setAll(rowProducts, i -> new RowProduct());
    Arrays.setAll(panelProducts, i -> new FloatPanelProduct());
  }

  @Override
  public void multiply(TokenTensor x, int tokens, Projection... projections) {
    for (Projection projection : projections) {
      projection.check(x, tokens);
    }
    if (tokens == 0 || projections.length == 0) {
      return;
    }
    this.x = x;
    try {
      if (tokens <= FEW_TOKENS) {
        this.tokens = tokens;
        if (anyOf4Bits(projections)) {
          quantized.quantize(x, tokens, x.width());
        }
        parts.cut(rowsOfPart(projections), projections);
        workers.run(parts.count(), rowTask);
      } else {
        parts.cut(PANEL_ROWS, projections);
        for (int t = 0; t < tokens; t += BLOCK_TOKENS) {
          multiplyBlock(t, Math.min(BLOCK_TOKENS, tokens - t));
        }
      }
    } finally {
      this.x = null;
      parts.clear();
    }
  }

  private static boolean anyOf4Bits(Projection[] projections) {
    for (Projection projection : projections) {
      if (projection.weight().type() == DataType.Q4_0) {
        return true;
      }
    }
    return false;
  }

  private static int rowsOfPart(Projection[] projections) {
    long rowBytes = 0;
    for (Projection projection : projections) {
      rowBytes = Math.max(rowBytes, projection.weight().rowBytes());
    }
    return Math.toIntExact(Math.max(1, PART_BYTES / rowBytes));
  }

  private void multiplyBlock(int firstToken, int tokens) {
    this.firstToken = firstToken;
    this.tokens = tokens;
    panels.prepare(x.from(firstToken), tokens, x.width());
    workers.run(panels.count(), packTask);
    workers.run(parts.count(), panelTask);
  }

  private void multiplyRows(int part, int worker) {
    int matrix = parts.matrix(part);
    rowProducts[worker].multiply(
        parts.projection(matrix),
        parts.firstRow(part, matrix),
        parts.rows(part, matrix),
        x,
        quantized,
        tokens);
  }

  private void packTokens(int panel, int worker) {
    panels.pack(panel);
  }

  private void multiplyPanels(int part, int worker) {
    int matrix = parts.matrix(part);
    panelProducts[worker].multiply(
        parts.projection(matrix),
        parts.firstRow(part, matrix),
        parts.rows(part, matrix),
        panels,
        firstToken,
        tokens);
  }
}
