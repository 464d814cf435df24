package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.Lanes.COUNT;
import static dev.gdn.kernels.vector.Lanes.PANEL;
import static dev.gdn.kernels.vector.MatrixLanes.BLOCK;
import static dev.gdn.kernels.vector.MatrixLanes.LENGTH;
import static dev.gdn.kernels.vector.Tiles.ROWS;
import static dev.gdn.kernels.vector.VectorConvolution.CHANNELS;

import dev.gdn.core.kernel.Activation;
import dev.gdn.core.kernel.ConvolutionWeights;
import dev.gdn.core.tensor.DataType;
import dev.gdn.core.tensor.WeightMatrix;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The innermost loops of a first prompt, in the order in which it meets them. What they compute is
 * of no use. Those that take long without being compiled are here, if they have nothing to do for
 * some argument; what is left is compiled when the prompt meets it.
 *
 * <p>None of them gets a vector from a method that C2 may leave uninlined, be it ours or the Vector
 * API's castShape: to C2, a loop that was mostly run with nothing to do calls it too seldom, and
 * the vector is put on the heap. So these loops are written out.
 *
 * <p>The loops of groups of rows are not here. C2 does not inline a method that a loop calls where
 * that loop was mostly run with nothing to do, and kept vectors of these loops on the heap even
 * without such a method: docs/performance-matmul.md.
 */
final class WarmUpLoops {
  /** What a loop is given to do. */
  static final int STEPS = 16;

  private static final int COLUMNS = STEPS * BLOCK;

  /** Bytes of weights that the loops read. */
  static final long WEIGHT_BYTES = DataType.F32.bytes(COLUMNS);

  // Ones are ordinary numbers: what zeros let C2 see would be another branch of some loops.
  private final float[] x = new float[2 * PanelKernel.ROWS * PanelKernel.STRIDE];
  private final float[] y = new float[2 * PanelKernel.ROWS * PanelKernel.STRIDE];
  private final List<WarmUpLoop> loops = new ArrayList<>();

  private WarmUpLoops() {
    Arrays.fill(x, 1f);
  }

  /** What few tokens meet in every model. */
  static List<WarmUpLoop> ofFew() {
    WarmUpLoops all = new WarmUpLoops();
    all.loops.add(n -> LaneSums.sum8(Math.min(n, LaneSums.VECTORS), all.x, 0, all.y, 0));
    return all.loops;
  }

  /** What few tokens meet in weights of some types. */
  static List<WarmUpLoop> ofFew(List<DataType> types, MemorySegment weights) {
    WarmUpLoops all = new WarmUpLoops();
    for (DataType type : types) {
      all.addRows(type, weights);
    }
    if (types.stream().anyMatch(type -> type != DataType.Q4_0)) {
      float[] lanes = new float[LENGTH];
      all.loops.add(n -> RowDot.floats(all.x, 0, all.x, 0, n * LENGTH, lanes, 0));
    }
    return all.loops;
  }

  private void addRows(DataType type, MemorySegment weights) {
    switch (type) {
      case Q4_0, F16, F8_E4M3 -> {
        // Rows of the first are multiplied as they are. The loops of the others call a method.
      }
      case BF16 -> {
        StoredRows rows = StoredRows.of(type);
        float[] lanes = new float[BrainRows.TOGETHER * LENGTH];
        loops.add(n -> rows.decode(weights, 0, y, 0, n * BLOCK));
        loops.add(n -> rows.dots(weights, 0, 0, BrainRows.TOGETHER, x, 0, n * BLOCK, lanes));
      }
      default -> {
        StoredRows rows = StoredRows.of(type);
        loops.add(n -> rows.decode(weights, 0, y, 0, n * BLOCK));
      }
    }
  }

  /** What many tokens meet in every model. */
  static List<WarmUpLoop> ofMany() {
    WarmUpLoops all = new WarmUpLoops();
    all.addElements();
    all.addRule();
    return all.loops;
  }

  /** What many tokens meet in weights of some types. */
  static List<WarmUpLoop> ofMany(List<DataType> types, MemorySegment weights) {
    WarmUpLoops all = new WarmUpLoops();
    for (DataType type : types) {
      if (type == DataType.Q4_0) {
        all.addShorts(weights);
      }
    }
    if (types.stream().anyMatch(type -> type != DataType.Q4_0)) {
      all.addFloatTile();
    }
    return all.loops;
  }

  private void addFloatTile() {
    loops.add(n -> FloatTile.wide(x, 0, PanelKernel.STRIDE, x, 0, n, y, 0));
    if (PanelKernel.TALL) {
      loops.add(n -> TallFloatTile.multiply(x, 0, PanelKernel.STRIDE, x, 0, n, y, 0));
    }
  }

  private void addShorts(MemorySegment weights) {
    ShortPanelKernel kernel = new ShortPanelKernel(new QuantizedPanels(1));
    MemorySegment row = weights.asSlice(0, DataType.Q4_0.bytes(COLUMNS));
    WeightMatrix matrix = new WeightMatrix("warm-up", DataType.Q4_0, 1, COLUMNS, row);
    // The rows of a tile, and as many columns of a panel.
    int[] pairs = new int[Math.max(ShortTile.MOST_ROWS, LENGTH) * PanelKernel.STRIDE];
    short[] sums = new short[STEPS * ShortTile.SUMS];
    loops.add(n -> kernel.decode(matrix, 0, 1, 0, n * BLOCK));
    int stride = PanelKernel.STRIDE;
    loops.add(n -> ShortTile.sumTwo(pairs, 0, stride, pairs, 0, 0, n, sums, 0));
    if (PanelKernel.TALL) {
      loops.add(n -> TallShortTile.sumTwo(pairs, 0, stride, pairs, 0, 0, n, sums, 0));
    }
    loops.add(n -> ShortTile.scaleTwo(sums, 0, x, 0, 0, x, 0, n, y, 0));
  }

  private void addElements() {
    ConvolutionWeights convolution =
        new ConvolutionWeights(CHANNELS, 4, new float[4 * CHANNELS], null, Activation.IDENTITY);
    float[] ring = new float[3 * CHANNELS];
    loops.add(n -> Lanes.squares(x, 0, 0, Math.min(n, 1), n * PANEL, y));
    loops.add(n -> VectorNormalization.weigh(x, 0, 1, x, 0, y, 0, n * COUNT));
    loops.add(n -> VectorConvolution.convolve(convolution, x, 0, ring, 0, y, 0, 0, n * COUNT));
    loops.add(n -> Exponentials.ofMagnitudes(x, 0, y, 0, n * COUNT));
    loops.add(n -> Activations.silu(x, 0, x, y, 0, n * COUNT));
    loops.add(n -> Activations.sigmoid(x, 0, x, y, 0, n * COUNT));
    loops.add(n -> Activations.multiply(x, x, 0, y, 0, n * COUNT));
    loops.add(n -> Lanes.scale(1f, x, 0, y, 0, n * COUNT));
    loops.add(n -> VectorRotation.rotate(y, 0, x, x, 0, n * COUNT));
  }

  private void addRule() {
    ChunkDecay decay = new ChunkDecay();
    decay.reserve(STEPS);
    loops.add(n -> Tiles.multiply(x, 0, ROWS, n, x, 0, y, 0));
    loops.add(n -> Tiles.multiplyTransposed(x, 0, ROWS, n, x, 0, y, 0, 1f));
    loops.add(n -> Tiles.multiplyHalf(x, 0, ROWS, n, x, 0, y, 0));
    loops.add(n -> Substitution.solve(x, 0, ROWS, y, 0, n));
    loops.add(n -> LowerTile.multiply(x, 0, ROWS, x, 0, y, 0, n));
    loops.add(n -> ChunkSweep.rightHandSide(decay, y, x, y, 0, n, 1f));
    loops.add(n -> PanelRows.scale(x, y, 0, y, 0, n));
    loops.add(n -> Exponentials.ofNegative(y, 0, COUNT, n));
    loops.add(n -> UnitRows.copy(x, 0, 0, Math.min(n, 1), n * PANEL, x, y, n * PANEL));
    loops.add(n -> Panels.put(x, 0, n * COUNT, y, 0, PANEL));
    loops.add(n -> Panels.get(x, 0, PANEL, y, 0, n * COUNT));
  }
}
