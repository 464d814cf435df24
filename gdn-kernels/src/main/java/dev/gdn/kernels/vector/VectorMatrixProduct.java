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
 * and multiplied in register tiles, 4-bit weights in 16-bit integers and all others in float32.
 * What a row gives does not depend on who computes it.
 */
final class VectorMatrixProduct implements MatrixProduct {
  /** The most tokens that meet each row by themselves; for eight, even tiles half empty pay. */
  private static final int FEW_TOKENS = 7;

  /** Tokens that decoded rows are used for; bounds the scratch memory. */
  private static final int BLOCK_TOKENS = 512;

  /** Rows that are decoded at a time: as many as fit the second cache with what they meet. */
  private static final int PART_ROWS = 16 * PanelKernel.ROWS;

  /** Parts for each worker, if there are rows enough, so that they end at about the same time. */
  private static final int PARTS = 12;

  /** Bytes of weights that are worth a worker's turn. */
  private static final int PART_BYTES = 48 << 10;

  private final Workers workers;
  private final Workers.Task rowTask = this::multiplyRows;
  private final Workers.Task packTask = this::packTokens;
  private final Workers.Task panelTask = this::multiplyPanels;
  private final RowProduct[] rowProducts;
  private final PanelProduct[] panelProducts;
  private final PanelKernel[] floatKernels;
  private final PanelKernel[] shortKernels;
  private final RowParts parts = new RowParts();
  private final TokenPanels panels = new TokenPanels();
  private final QuantizedPanels quantizedPanels;
  private final QuantizedTokens quantized = new QuantizedTokens();
  private TokenTensor x;
  private boolean anyShorts;
  private boolean anyFloats;
  private int firstToken;
  private int tokens;

  VectorMatrixProduct(Workers workers) {
    this.workers = workers;
    this.rowProducts = new RowProduct[workers.threads()];
    this.quantizedPanels = new QuantizedPanels(workers.threads());
    this.panelProducts = new PanelProduct[workers.threads()];
    this.floatKernels = new PanelKernel[workers.threads()];
    this.shortKernels = new PanelKernel[workers.threads()];
    RowsByType[] rowsByType = new RowsByType[workers.threads()];
    Arrays.setAll(rowsByType, i -> new RowsByType());
    Arrays.setAll(rowProducts, i -> new RowProduct(rowsByType[i]));
    Arrays.setAll(panelProducts, i -> new PanelProduct());
    Arrays.setAll(floatKernels, i -> new FloatPanelKernel(panels, rowsByType[i]));
    Arrays.setAll(shortKernels, i -> new ShortPanelKernel(quantizedPanels));
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
    this.anyShorts = any(projections, true);
    this.anyFloats = any(projections, false);
    try {
      if (tokens <= FEW_TOKENS) {
        multiplyFew(tokens, projections);
      } else {
        parts.cut(tileRows(projections), projections);
        for (int t = 0; t < tokens; t += BLOCK_TOKENS) {
          multiplyBlock(t, Math.min(BLOCK_TOKENS, tokens - t));
        }
      }
    } finally {
      this.x = null;
      parts.clear();
    }
  }

  private static boolean any(Projection[] projections, boolean shorts) {
    for (Projection projection : projections) {
      if (meetsShorts(projection) == shorts) {
        return true;
      }
    }
    return false;
  }

  private static boolean meetsShorts(Projection projection) {
    return projection.weight().type() == DataType.Q4_0;
  }

  private void multiplyFew(int tokens, Projection[] projections) {
    this.tokens = tokens;
    if (anyShorts) {
      quantized.quantize(x, tokens, x.width());
    }
    parts.cut(rowsOfPart(projections), projections);
    workers.run(parts.count(), rowTask);
  }

  private int tileRows(Projection[] projections) {
    long rows = 0;
    for (Projection projection : projections) {
      rows += projection.weight().rows();
    }
    long share = rows / (PARTS * workers.threads()) + 1;
    return PanelKernel.padded((int) Math.min(PART_ROWS, share));
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
    TokenTensor block = x.from(firstToken);
    if (anyFloats) {
      panels.prepare(block, tokens, x.width());
    }
    if (anyShorts) {
      quantizedPanels.prepare(block, tokens, x.width());
    }
    workers.run(TokenPanels.count(tokens), packTask);
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
    if (anyFloats) {
      panels.pack(panel);
    }
    if (anyShorts) {
      quantizedPanels.pack(panel, worker);
    }
  }

  private void multiplyPanels(int part, int worker) {
    int matrix = parts.matrix(part);
    Projection projection = parts.projection(matrix);
    PanelKernel[] kernels = meetsShorts(projection) ? shortKernels : floatKernels;
    panelProducts[worker].multiply(
        kernels[worker],
        projection,
        parts.firstRow(part, matrix),
        parts.rows(part, matrix),
        TokenPanels.count(tokens),
        firstToken,
        tokens);
  }
}
