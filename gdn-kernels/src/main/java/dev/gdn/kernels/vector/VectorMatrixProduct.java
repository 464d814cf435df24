package dev.gdn.kernels.vector;

import dev.gdn.core.concurrent.Workers;
import dev.gdn.core.kernel.ExpertProjection;
import dev.gdn.core.kernel.ExpertRoutes;
import dev.gdn.core.kernel.MatrixProduct;
import dev.gdn.core.kernel.Projection;
import dev.gdn.core.tensor.DataType;
import dev.gdn.core.tensor.TokenTensor;
import dev.gdn.core.tensor.WeightMatrix;
import java.util.Arrays;

/**
 * Matrix products on the Vector API. Few tokens are memory-bound: each row is read once and
 * multiplied as it comes. Many are bound by arithmetic: rows are decoded once for a block of tokens
 * and multiplied in register tiles, Q4_0 in 16-bit integers and all others in float32. Tokens are
 * rounded to eight bits for Q4_0, and for other types where rows lie in groups. What a row gives
 * does not depend on who computes it.
 */
final class VectorMatrixProduct implements MatrixProduct {
  /** The most tokens that meet each row by themselves; for eight, even tiles half empty pay. */
  static final int FEW_TOKENS = 7;

  /** Tokens that decoded rows are used for; bounds the scratch memory. */
  private static final int BLOCK_TOKENS = 512;

  /** Rows that are decoded at a time: as many as fit the second cache with what they meet. */
  private static final int PART_ROWS = 16 * PanelKernel.ROWS;

  /** Parts for each worker, if there are rows enough, so that they end at about the same time. */
  private static final int PARTS = 12;

  /** The same for groups of rows with many tokens: a tile of tokens is read once for each part. */
  private static final int GROUP_PARTS = 4;

  /** Bytes of weights that are worth a worker's turn. */
  private static final int LEAST_PART_BYTES = 48 << 10;

  /** The most of a turn, so that the last ones end at about the same time. */
  private static final int MOST_PART_BYTES = 384 << 10;

  /** How a matrix meets tokens. */
  private enum Form {
    FLOATS,
    SHORTS,
    FLOAT_GROUPS,
    SHORT_GROUPS
  }

  private final Workers workers;
  private final Workers.Task rowTask = this::multiplyRows;
  private final Workers.Task packTask = this::packTokens;
  private final Workers.Task panelTask = this::multiplyPanels;

  private final Workers.Task stripTask = this::packStrips;
  private final RowProduct[] rowProducts;
  private final GroupProduct[] groupProducts;
  private final PanelProduct[] panelProducts;
  private final PanelKernel[] floatKernels;
  private final PanelKernel[] shortKernels;
  private final GroupPanelProduct[] groupPanelProducts;
  private final GroupKernel[] floatGroupKernels;
  private final GroupKernel[] shortGroupKernels;
  private final RowParts parts = new RowParts();
  private final TokenPanels panels = new TokenPanels();
  private final QuantizedPanels quantizedPanels;
  private final QuantizedStrips quantizedStrips;
  private final RoundedStrips roundedStrips;
  private final QuantizedTokens quantized = new QuantizedTokens();
  private final GroupTokens groupTokens = new GroupTokens(quantized);
  // Of the call in progress.
  private TokenTensor x;
  private final boolean[] any = new boolean[Form.values().length];
  private int firstToken;
  private int tokens;

  VectorMatrixProduct(Workers workers) {
    this.workers = workers;
    this.rowProducts = new RowProduct[workers.threads()];
    this.quantizedPanels = new QuantizedPanels(workers.threads());
    this.quantizedStrips = new QuantizedStrips(workers.threads());
    this.roundedStrips = new RoundedStrips(workers.threads());
    this.groupProducts = new GroupProduct[workers.threads()];
    this.groupPanelProducts = new GroupPanelProduct[workers.threads()];
    this.floatGroupKernels = new GroupKernel[workers.threads()];
    this.shortGroupKernels = new GroupKernel[workers.threads()];
    this.panelProducts = new PanelProduct[workers.threads()];
    this.floatKernels = new PanelKernel[workers.threads()];
    this.shortKernels = new PanelKernel[workers.threads()];
    RowsByType[] rowsByType = new RowsByType[workers.threads()];
    Arrays.setAll(rowsByType, i -> new RowsByType());
    Arrays.setAll(rowProducts, i -> new RowProduct(rowsByType[i]));
    Arrays.setAll(panelProducts, i -> new PanelProduct());
    Arrays.setAll(floatKernels, i -> new FloatPanelKernel(panels, rowsByType[i]));
    Arrays.setAll(shortKernels, i -> new ShortPanelKernel(quantizedPanels));
    Arrays.setAll(groupPanelProducts, i -> new GroupPanelProduct());
    Arrays.setAll(shortGroupKernels, i -> new ShortGroupKernel(quantizedStrips));
    for (int i = 0; i < workers.threads(); i++) {
      Q4KGroups q4k = new Q4KGroups();
      Q5KGroups q5k = new Q5KGroups();
      Q6KGroups q6k = new Q6KGroups();
      groupProducts[i] = new GroupProduct(q4k, q5k, q6k);
      floatGroupKernels[i] = new FloatGroupKernel(roundedStrips, q4k, q5k, q6k);
    }
  }

  @Override
  public void multiply(TokenTensor x, int tokens, Projection... projections) {
    for (Projection projection : projections) {
      projection.check(x, tokens);
    }
    if (tokens == 0 || projections.length == 0) {
      return;
    }
    try {
      for (Projection projection : projections) {
        parts.add(projection.weight(), projection.output(), 0, tokens);
      }
      if (tokens <= FEW_TOKENS) {
        multiplyFew(x, tokens);
      } else {
        multiplyMany(x);
      }
    } finally {
      release();
    }
  }

  /** Experts with few rows are multiplied together, each of the others by itself. */
  @Override
  public void multiplyExperts(TokenTensor x, ExpertRoutes routes, ExpertProjection... projections) {
    for (ExpertProjection projection : projections) {
      projection.check(x, routes);
    }
    try {
      for (int g = 0; g < routes.groups(); g++) {
        if (rows(routes, g) <= FEW_TOKENS) {
          add(routes, g, projections);
        }
      }
      if (parts.products() > 0) {
        multiplyFew(x, routes.rows());
        release();
      }
      for (int g = 0; g < routes.groups(); g++) {
        if (rows(routes, g) > FEW_TOKENS) {
          add(routes, g, projections);
          multiplyMany(x);
          release();
        }
      }
    } finally {
      release();
    }
  }

  private static int rows(ExpertRoutes routes, int group) {
    return routes.firstRow(group + 1) - routes.firstRow(group);
  }

  private void add(ExpertRoutes routes, int group, ExpertProjection[] projections) {
    for (ExpertProjection projection : projections) {
      WeightMatrix weight = projection.weights().get(routes.expert(group));
      parts.add(weight, projection.output(), routes.firstRow(group), rows(routes, group));
    }
  }

  private void release() {
    x = null;
    parts.clear();
  }

  /** Says which forms of arithmetic the products need. */
  private void findForms() {
    Arrays.fill(any, false);
    groupTokens.clear();
    for (int i = 0; i < parts.products(); i++) {
      any[form(i).ordinal()] = true;
      if (parts.isGrouped(i)) {
        groupTokens.expect(parts.matrix(i).type());
      }
    }
  }

  private boolean any(Form form) {
    return any[form.ordinal()];
  }

  private Form form(int product) {
    boolean shorts = parts.matrix(product).type() == DataType.Q4_0;
    if (parts.isGrouped(product)) {
      return shorts ? Form.SHORT_GROUPS : Form.FLOAT_GROUPS;
    }
    return shorts ? Form.SHORTS : Form.FLOATS;
  }

  /**
   * Runs products of few tokens each.
   *
   * @param tokens of the input
   */
  private void multiplyFew(TokenTensor x, int tokens) {
    WarmUp.awaitForFew();
    this.x = x;
    findForms();
    if (any(Form.SHORTS) || any(Form.FLOAT_GROUPS) || any(Form.SHORT_GROUPS)) {
      quantize(tokens);
    }
    parts.cut(rowsOfPart(), GroupLanes.ROWS);
    workers.run(parts.count(), rowTask);
  }

  // Products of the same tokens follow one another.
  private void quantize(int tokens) {
    quantized.reserve(tokens, x.width());
    groupTokens.reserve(tokens, x.width());
    for (int i = 0; i < parts.products(); i++) {
      if (i == 0 || parts.firstToken(i) != parts.firstToken(i - 1)) {
        quantized.quantize(x, parts.firstToken(i), parts.tokens(i));
        groupTokens.prepare(parts.firstToken(i), parts.tokens(i));
      }
    }
  }

  private int rowsOfPart() {
    long bytes = 0;
    long rowBytes = 0;
    for (int i = 0; i < parts.products(); i++) {
      bytes += parts.matrix(i).rows() * parts.matrix(i).rowBytes();
      rowBytes = Math.max(rowBytes, parts.matrix(i).rowBytes());
    }
    long share = bytes / (PARTS * workers.threads());
    long partBytes = Math.clamp(share, LEAST_PART_BYTES, MOST_PART_BYTES);
    return Math.toIntExact(Math.max(1, partBytes / rowBytes));
  }

  private void multiplyRows(int part, int worker) {
    int product = parts.product(part);
    if (parts.isGrouped(product)) {
      groupProducts[worker].multiply(
          parts.matrix(product),
          parts.firstRow(part, product),
          parts.rows(part, product),
          groupTokens,
          parts.output(product),
          parts.firstToken(product),
          parts.tokens(product));
    } else {
      rowProducts[worker].multiply(
          parts.matrix(product),
          parts.firstRow(part, product),
          parts.rows(part, product),
          x,
          quantized,
          parts.output(product),
          parts.firstToken(product),
          parts.tokens(product));
    }
  }

  /** Runs products of the same tokens, block by block. */
  private void multiplyMany(TokenTensor x) {
    WarmUp.awaitForMany();
    findForms();
    parts.cut(tileRows(), groupRows());
    int end = parts.firstToken(0) + parts.tokens(0);
    for (int t = parts.firstToken(0); t < end; t += BLOCK_TOKENS) {
      multiplyBlock(x, t, Math.min(BLOCK_TOKENS, end - t));
    }
  }

  private int tileRows() {
    return PanelKernel.padded((int) Math.min(PART_ROWS, share(PARTS)));
  }

  // Two groups at least, for a tile takes two panels of rows on the widest machines.
  private int groupRows() {
    return Lanes.roundUp(
        (int) Math.min(GroupKernel.MOST_ROWS, share(GROUP_PARTS)), 2 * GroupLanes.ROWS);
  }

  // Rows of a part, if each worker is to have so many parts.
  private long share(int partsOfWorker) {
    long rows = 0;
    for (int i = 0; i < parts.products(); i++) {
      rows += parts.matrix(i).rows();
    }
    return Math.max(1, rows / (partsOfWorker * workers.threads()));
  }

  private void multiplyBlock(TokenTensor x, int firstToken, int tokens) {
    this.firstToken = firstToken;
    this.tokens = tokens;
    TokenTensor block = x.from(firstToken);
    if (any(Form.FLOATS)) {
      panels.prepare(block, tokens, x.width());
    }
    if (any(Form.SHORTS)) {
      quantizedPanels.prepare(block, tokens, x.width());
    }
    if (any(Form.FLOATS) || any(Form.SHORTS)) {
      workers.run(TokenPanels.count(tokens), packTask);
    }
    if (any(Form.SHORT_GROUPS)) {
      quantizedStrips.prepare(block, tokens, x.width());
    }
    if (any(Form.FLOAT_GROUPS)) {
      roundedStrips.prepare(block, tokens, x.width());
    }
    if (any(Form.SHORT_GROUPS) || any(Form.FLOAT_GROUPS)) {
      workers.run(GroupKernel.padded(tokens) / GroupKernel.TOKENS, stripTask);
    }
    workers.run(parts.count(), panelTask);
  }

  private void packStrips(int tile, int worker) {
    if (any(Form.SHORT_GROUPS)) {
      quantizedStrips.pack(tile, worker);
    }
    if (any(Form.FLOAT_GROUPS)) {
      roundedStrips.pack(tile, worker);
    }
  }

  private void packTokens(int panel, int worker) {
    if (any(Form.FLOATS)) {
      panels.pack(panel);
    }
    if (any(Form.SHORTS)) {
      quantizedPanels.pack(panel, worker);
    }
  }

  private void multiplyPanels(int part, int worker) {
    int product = parts.product(part);
    switch (form(product)) {
      case FLOATS -> multiplyPanels(floatKernels[worker], part, product, worker);
      case SHORTS -> multiplyPanels(shortKernels[worker], part, product, worker);
      case FLOAT_GROUPS -> multiplyGroups(floatGroupKernels[worker], part, product, worker);
      case SHORT_GROUPS -> multiplyGroups(shortGroupKernels[worker], part, product, worker);
    }
  }

  private void multiplyPanels(PanelKernel kernel, int part, int product, int worker) {
    panelProducts[worker].multiply(
        kernel,
        parts.matrix(product),
        parts.output(product),
        parts.firstRow(part, product),
        parts.rows(part, product),
        TokenPanels.count(tokens),
        firstToken,
        tokens);
  }

  private void multiplyGroups(GroupKernel kernel, int part, int product, int worker) {
    groupPanelProducts[worker].multiply(
        kernel,
        parts.matrix(product),
        parts.output(product),
        parts.firstRow(part, product),
        parts.rows(part, product),
        firstToken,
        tokens);
  }
}
