package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.Lanes.COUNT;
import static dev.gdn.kernels.vector.Lanes.PANEL;
import static dev.gdn.kernels.vector.Tiles.ROWS;
import static dev.gdn.kernels.vector.VectorConvolution.CHANNELS;

import dev.gdn.core.kernel.Activation;
import dev.gdn.core.kernel.ConvolutionWeights;
import dev.gdn.core.tensor.DataType;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Has the innermost loops compiled before a session needs them.
 *
 * <p>Until C2 has compiled a loop on the Vector API, each operation in it is a call that allocates,
 * a thousand times slower; and with enough of these calls C2 compiles the API's own fallback code
 * first. C2 takes a method up after some thousand calls, whether or not they do anything. So the
 * loops are called here with nothing to do, and with a little to do every few calls, for C2 drops
 * code that it has never seen run.
 */
final class WarmUp {
  private static final AtomicBoolean STARTED = new AtomicBoolean();
  private static final int CALLS = 10_000;
  // One call in so many does something. Fewer would do for compiling; but C2 keeps sums in
  // registers
  // only in loops that it has seen go round often.
  private static final int RARELY = 64;
  private static final int STEPS = 8;
  private static final int AT_TIMES = 16;
  private static final int VECTORS = 5;
  private static final int VALUES = 32 * COUNT;

  private final float[] x = new float[ROWS * 4 * PANEL];
  private final float[] y = new float[ROWS * 4 * PANEL];

  private final MemorySegment data;

  private WarmUp(Arena arena) {
    this.data = mapped(arena);
  }

  private static MemorySegment mapped(Arena arena) {
    long size = DataType.F32.bytes(VALUES);
    Path file = Path.of(System.getProperty("java.home"), "lib", "modules");
    try (FileChannel channel = FileChannel.open(file)) {
      return channel.map(MapMode.READ_ONLY, 0, size, arena);
    } catch (IOException e) {
      return arena.allocate(size);
    }
  }

  /** Starts on a thread of its own, once in the life of the process. */
  static void start() {
    if (STARTED.compareAndSet(false, true)) {
      Thread thread = new Thread(WarmUp::run, "gdn-warm-up");
      thread.setDaemon(true);
      thread.start();
    }
  }

  static void run() {
    // Compiled code knows segments by the class and the arena it has seen: they are to be those of
    // a
    // checkpoint's file. One of another kind, even here, halved the speed of the loops over rows.
    try (Arena arena = Arena.ofShared()) {
      WarmUp warmUp = new WarmUp(arena);
      warmUp.decoder(DataType.BF16);
      warmUp.decoder(DataType.Q8_0);
      warmUp.tiles();
      warmUp.functions();
      warmUp.rows();
      warmUp.recurrence();
    }
  }

  // Weights as they are stored become float32.
  private void decoder(DataType type) {
    StoredRows rows = StoredRows.of(type);
    for (int i = 0; i < CALLS; i++) {
      rows.decode(data, 0, y, 0, i % RARELY == 0 ? VALUES : 0);
    }
  }

  private void tiles() {
    for (int i = 0; i < CALLS; i++) {
      int steps = i % RARELY == 0 ? STEPS : 0;
      Tiles.multiply(x, 0, STEPS, steps, x, 0, y, 0);
      Tiles.multiplyTransposed(x, 0, ROWS, steps, x, 0, y, 0, 1f);
      Substitution.solve(x, 0, ROWS, y, 0, steps);
      Tiles.multiplyHalf(x, 0, STEPS, steps, x, 0, y, 0);
    }
  }

  private void recurrence() {
    RecurrentForm form = new RecurrentForm();
    int width = 2 * RecurrentForm.BLOCK;
    form.reserve(STEPS, width);
    float[] state = new float[STEPS * width];
    for (int i = 0; i < CALLS; i++) {
      int rows = i % RARELY == 0 ? STEPS : 0;
      form.readWide(state, 0, rows, width, 0);
      form.readBlock(state, 0, rows, width, 0);
      form.update(state, 0, rows, width, 1f);
    }
  }

  private void functions() {
    Activations activations = new Activations();
    for (int i = 0; i < CALLS; i++) {
      int vectors = i % AT_TIMES == 0 ? VECTORS : 0;
      Exponentials.ofNegative(y, 0, COUNT, vectors);
      activations.apply(Activation.SILU, x, 0, y, 0, vectors * COUNT);
      activations.gate(Activation.SILU, x, 0, x, 0, y, 0, vectors * COUNT);
      activations.gate(Activation.SIGMOID, x, 0, x, 0, y, 0, vectors * COUNT);
    }
  }

  private void rows() {
    ConvolutionWeights weights =
        new ConvolutionWeights(CHANNELS, 4, new float[4 * CHANNELS], null, Activation.IDENTITY);
    float[] ring = new float[3 * CHANNELS];
    for (int i = 0; i < CALLS; i++) {
      int n = i % RARELY == 0 ? 4 * COUNT : 0;
      VectorConvolution.convolve(weights, x, 0, ring, i % 3, y, 0, 0, n);
      Lanes.sumOfSquares(x, 0, n, y);
      Lanes.scale(1f, x, 0, y, 0, n);
      Lanes.addScaled(1f, x, 0, y, 0, n);
      Panels.put(x, 0, n, y, 0, PANEL);
      Panels.get(x, 0, PANEL, y, 0, n);
    }
  }
}
