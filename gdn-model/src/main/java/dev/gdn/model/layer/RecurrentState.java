package dev.gdn.model.layer;

import dev.gdn.model.config.LinearAttentionConfig;
import dev.gdn.model.file.NumberReader;
import dev.gdn.model.file.NumberWriter;
import java.io.IOException;
import java.util.Arrays;
import java.util.function.ObjLongConsumer;

/**
 * What a gated delta layer remembers: of fixed size.
 *
 * @param window past inputs of the convolution, {@code [width - 1, channels]} oldest first
 * @param matrices recurrent state, {@code [HV, K, V]}
 */
record RecurrentState(float[] window, float[] matrices) implements LayerState {
  static RecurrentState zeros(LinearAttentionConfig c) {
    return new RecurrentState(
        new float[(c.convolutionWidth() - 1) * c.convolutionChannels()], new float[c.stateSize()]);
  }

  @Override
  public void clear() {
    Arrays.fill(window, 0);
    Arrays.fill(matrices, 0);
  }

  @Override
  public RecurrentState fork() {
    return new RecurrentState(window.clone(), matrices.clone());
  }

  // Into the same arrays: the blocks of a forward pass hold them.
  @Override
  public void restore(LayerState other) {
    RecurrentState from = (RecurrentState) other;
    System.arraycopy(from.window, 0, window, 0, window.length);
    System.arraycopy(from.matrices, 0, matrices, 0, matrices.length);
  }

  @Override
  public void forEachBlock(ObjLongConsumer<Object> block) {
    block.accept(window, (long) window.length * Float.BYTES);
    block.accept(matrices, (long) matrices.length * Float.BYTES);
  }

  @Override
  public long storedBytes(int tokens) {
    return ((long) window.length + matrices.length) * Float.BYTES;
  }

  @Override
  public void write(NumberWriter out) throws IOException {
    out.floats(window, 0, window.length);
    out.floats(matrices, 0, matrices.length);
  }

  @Override
  public void read(NumberReader in, int[] tokens) throws IOException {
    in.floats(window, 0, window.length);
    in.floats(matrices, 0, matrices.length);
  }
}
