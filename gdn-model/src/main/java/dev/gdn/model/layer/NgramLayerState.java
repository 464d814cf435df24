package dev.gdn.model.layer;

import dev.gdn.model.file.NumberReader;
import dev.gdn.model.file.NumberWriter;
import java.io.IOException;
import java.util.function.ObjLongConsumer;

/**
 * What a layer remembers that adds an embedding of n-grams before it mixes tokens.
 *
 * @param mixer of what mixes tokens
 */
record NgramLayerState(NgramState ngrams, LayerState mixer) implements LayerState {
  @Override
  public void clear() {
    ngrams.clear();
    mixer.clear();
  }

  @Override
  public NgramLayerState fork() {
    return new NgramLayerState(ngrams.fork(), mixer.fork());
  }

  @Override
  public void restore(LayerState other) {
    NgramLayerState from = (NgramLayerState) other;
    ngrams.restore(from.ngrams);
    mixer.restore(from.mixer);
  }

  @Override
  public void forEachBlock(ObjLongConsumer<Object> block) {
    ngrams.forEachBlock(block);
    mixer.forEachBlock(block);
  }

  @Override
  public long storedBytes(int tokens) {
    return ngrams.storedBytes(tokens) + mixer.storedBytes(tokens);
  }

  @Override
  public void write(NumberWriter out) throws IOException {
    ngrams.write(out);
    mixer.write(out);
  }

  @Override
  public void read(NumberReader in, int[] tokens) throws IOException {
    ngrams.read(in, tokens);
    mixer.read(in, tokens);
  }
}
