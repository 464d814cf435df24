package dev.gdn.model.layer;

import dev.gdn.model.config.ModelConfig;
import dev.gdn.model.config.NgramConfig;
import dev.gdn.model.file.NumberReader;
import dev.gdn.model.file.NumberWriter;
import java.io.IOException;
import java.util.Arrays;
import java.util.function.ObjLongConsumer;

/**
 * What an embedding of n-grams remembers: of fixed size.
 *
 * @param past the last tokens, the latest first
 * @param windows past inputs of the convolution, {@code [width - 1, channels]} oldest first, of the
 *     tokens at positions 0, 1, … modulo their number
 * @param endToken stands for tokens before the first
 */
record NgramState(int[] past, float[][] windows, int endToken) implements LayerState {
  static NgramState empty(ModelConfig config, NgramConfig c) {
    NgramState state =
        new NgramState(
            new int[c.longest() - 1],
            new float[c.longest()][(c.convolutionWidth() - 1) * config.residualWidth()],
            c.endToken());
    state.clear();
    return state;
  }

  @Override
  public void clear() {
    Arrays.fill(past, endToken);
    for (float[] window : windows) {
      Arrays.fill(window, 0);
    }
  }

  @Override
  public NgramState fork() {
    return new NgramState(
        past.clone(), Arrays.stream(windows).map(float[]::clone).toArray(float[][]::new), endToken);
  }

  // Into the same arrays: the block of a forward pass holds them.
  @Override
  public void restore(LayerState other) {
    NgramState from = (NgramState) other;
    System.arraycopy(from.past, 0, past, 0, past.length);
    for (int i = 0; i < windows.length; i++) {
      System.arraycopy(from.windows[i], 0, windows[i], 0, windows[i].length);
    }
  }

  @Override
  public void forEachBlock(ObjLongConsumer<Object> block) {
    block.accept(past, (long) past.length * Integer.BYTES);
    for (float[] window : windows) {
      block.accept(window, (long) window.length * Float.BYTES);
    }
  }

  @Override
  public long storedBytes(int tokens) {
    long numbers = past.length;
    for (float[] window : windows) {
      numbers += window.length;
    }
    return numbers * Float.BYTES;
  }

  @Override
  public void write(NumberWriter out) throws IOException {
    out.integers(past, past.length);
    for (float[] window : windows) {
      out.floats(window, 0, window.length);
    }
  }

  @Override
  public void read(NumberReader in, int[] tokens) throws IOException {
    in.integers(past.length);
    // Which say it already, and are checked: rows of a table are looked up by them.
    for (int i = 0; i < past.length; i++) {
      past[i] = i < tokens.length ? tokens[tokens.length - 1 - i] : endToken;
    }
    for (float[] window : windows) {
      in.floats(window, 0, window.length);
    }
  }
}
