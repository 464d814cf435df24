package dev.gdn.model.layer;

import dev.gdn.core.kernel.KeyValueCache;
import dev.gdn.model.config.AttentionConfig;
import dev.gdn.model.config.LatentAttentionConfig;
import dev.gdn.model.config.LayerType;
import dev.gdn.model.config.LinearAttentionConfig;
import dev.gdn.model.config.ModelConfig;
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
    for (LayerType type : config.layers()) {
      states.add(
          switch (type) {
            case LINEAR_ATTENTION -> Recurrent.zeros(config.linearAttention());
            case FULL_ATTENTION ->
                switch (config.attention()) {
                  case AttentionConfig c -> KeysAndValues.empty(c);
                  case LatentAttentionConfig c ->
                      new Latents(KeyValueCache.ofOneVector(c.cacheWidth()));
                };
          });
    }
    return List.copyOf(states);
  }
}
