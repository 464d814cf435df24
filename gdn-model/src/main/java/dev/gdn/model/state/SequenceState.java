package dev.gdn.model.state;

import dev.gdn.model.layer.LayerState;
import java.util.Arrays;
import java.util.List;
import java.util.function.ObjLongConsumer;

/**
 * A sequence as it stood after some of its tokens. Immutable, and safe to share by threads: what it
 * has in common with the session that it comes from is written by neither.
 */
public final class SequenceState {
  private final List<LayerState> layers;
  private final int[] tokens;
  private final float[] logits;
  private final boolean fromFile;

  /**
   * A copy of a live sequence.
   *
   * @param layers the state of each layer
   * @param tokens all tokens so far; not to be changed afterwards
   * @param logits what followed the last one; null if that is not known
   * @param fromFile whether it goes on from what a file says, whoever wrote that
   */
  public SequenceState(List<LayerState> layers, int[] tokens, float[] logits, boolean fromFile) {
    this.layers = layers.stream().map(LayerState::fork).toList();
    this.tokens = tokens;
    this.logits = logits == null ? null : logits.clone();
    this.fromFile = fromFile;
  }

  /** Tokens so far. */
  public int position() {
    return tokens.length;
  }

  /** The tokens; not to be changed. */
  public int[] tokens() {
    return tokens;
  }

  /** Whether it is known what followed the last token. */
  public boolean hasLogits() {
    return logits != null;
  }

  /** Whether it goes on from what a file says, and not from the tokens alone. */
  public boolean isFromFile() {
    return fromFile;
  }

  /** Whether these tokens begin with all of this. */
  public boolean isPrefixOf(int[] ids, int length) {
    return tokens.length <= length
        && Arrays.equals(tokens, 0, tokens.length, ids, 0, tokens.length);
  }

  /**
   * Lets a live sequence stand here.
   *
   * @param live the state of each layer
   * @param target takes the logits, if they are known
   */
  public void copyTo(List<LayerState> live, float[] target) {
    for (int i = 0; i < live.size(); i++) {
      live.get(i).restore(layers.get(i));
    }
    if (logits != null) {
      System.arraycopy(logits, 0, target, 0, target.length);
    }
  }

  /** Shows each block of memory and its size in bytes; others may hold the same ones. */
  public void forEachBlock(ObjLongConsumer<Object> block) {
    block.accept(tokens, (long) tokens.length * Integer.BYTES);
    if (logits != null) {
      block.accept(logits, (long) logits.length * Float.BYTES);
    }
    for (LayerState layer : layers) {
      layer.forEachBlock(block);
    }
  }

  /** Bytes of all blocks, shared ones included. */
  public long bytes() {
    long[] sum = {0};
    forEachBlock((block, bytes) -> sum[0] += bytes);
    return sum[0];
  }
}
