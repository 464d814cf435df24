package dev.gdn.model.layer;

import dev.gdn.core.kernel.KeyValueCache;
import dev.gdn.model.config.AttentionConfig;
import dev.gdn.model.config.IndexerConfig;
import dev.gdn.model.config.LatentAttentionConfig;
import dev.gdn.model.config.LayerType;
import dev.gdn.model.config.LinearAttentionConfig;
import dev.gdn.model.config.ModelConfig;
import dev.gdn.model.config.NgramConfig;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What one layer remembers of a sequence. Used by one thread at a time. */
public sealed interface LayerState {
  /** Back to the state before the first token. */
  void clear();

  /**
   * Of a gated delta layer: of fixed size.
   *
   * @param window past inputs of the convolution, {@code [width - 1, channels]} oldest first
   * @param matrices recurrent state, {@code [HV, K, V]}
   */
  record Recurrent(float[] window, float[] matrices) implements LayerState {
    static Recurrent zeros(LinearAttentionConfig c) {
      return new Recurrent(
          new float[(c.convolutionWidth() - 1) * c.convolutionChannels()],
          new float[c.stateSize()]);
    }

    @Override
    public void clear() {
      Arrays.fill(window, 0);
      Arrays.fill(matrices, 0);
    }
  }

  /**
   * Of a softmax attention layer: grows with the sequence.
   *
   * @param cache the keys and values so far
   */
  record KeysAndValues(KeyValueCache cache) implements LayerState {
    static KeysAndValues empty(AttentionConfig c) {
      return new KeysAndValues(new KeyValueCache(c.keyValueHeads(), c.headWidth(), c.headWidth()));
    }

    @Override
    public void clear() {
      cache.clear();
    }
  }

  /**
   * Of a sparse attention layer: grows with the sequence.
   *
   * @param cache the keys and values so far
   * @param blocks the indexer's key of each whole block of tokens
   * @param partial sum of the indexer's keys of the tokens since, {@code [head width]}
   */
  record IndexedKeysAndValues(KeyValueCache cache, KeyValueCache blocks, float[] partial)
      implements LayerState {
    static IndexedKeysAndValues empty(AttentionConfig c, IndexerConfig indexer) {
      return new IndexedKeysAndValues(
          new KeyValueCache(c.keyValueHeads(), c.headWidth(), c.headWidth()),
          KeyValueCache.ofOneVector(indexer.headWidth()),
          new float[indexer.headWidth()]);
    }

    @Override
    public void clear() {
      cache.clear();
      blocks.clear();
      Arrays.fill(partial, 0);
    }
  }

  /**
   * Of an embedding of n-grams: of fixed size.
   *
   * @param past the last tokens, the latest first
   * @param windows past inputs of the convolution, {@code [width - 1, channels]} oldest first, of
   *     the tokens at positions 0, 1, … modulo their number
   * @param endToken stands for tokens before the first
   */
  record Ngrams(int[] past, float[][] windows, int endToken) implements LayerState {
    static Ngrams empty(ModelConfig config, NgramConfig c) {
      Ngrams state =
          new Ngrams(
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
  }

  /**
   * Of a layer that adds an embedding of n-grams before it mixes tokens.
   *
   * @param mixer of what mixes tokens
   */
  record WithNgrams(Ngrams ngrams, LayerState mixer) implements LayerState {
    @Override
    public void clear() {
      ngrams.clear();
      mixer.clear();
    }
  }

  /** What the layer's token mixer remembers. */
  default LayerState mixer() {
    return this;
  }

  /**
   * Of a latent attention layer: grows with the sequence.
   *
   * @param cache of each token the latent vector and the key that all heads share
   */
  record Latents(KeyValueCache cache) implements LayerState {
    @Override
    public void clear() {
      cache.clear();
    }
  }

  /** The states of all layers before the first token. */
  static List<LayerState> initial(ModelConfig config) {
    List<LayerState> states = new ArrayList<>();
    for (int i = 0; i < config.layers().size(); i++) {
      LayerState mixer = mixer(config, config.layers().get(i));
      states.add(
          config
              .ngrams(i)
              .<LayerState>map(c -> new WithNgrams(Ngrams.empty(config, c), mixer))
              .orElse(mixer));
    }
    return List.copyOf(states);
  }

  private static LayerState mixer(ModelConfig config, LayerType type) {
    return switch (type) {
      case LINEAR_ATTENTION -> Recurrent.zeros(config.linearAttention());
      case FULL_ATTENTION ->
          switch (config.attention()) {
            case AttentionConfig c ->
                c.indexer()
                    .<LayerState>map(indexer -> IndexedKeysAndValues.empty(c, indexer))
                    .orElseGet(() -> KeysAndValues.empty(c));
            case LatentAttentionConfig c -> new Latents(KeyValueCache.ofOneVector(c.cacheWidth()));
          };
    };
  }
}
