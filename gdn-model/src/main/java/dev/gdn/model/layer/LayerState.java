package dev.gdn.model.layer;

import dev.gdn.core.kernel.KeyValueType;
import dev.gdn.model.config.AttentionConfig;
import dev.gdn.model.config.LatentAttentionConfig;
import dev.gdn.model.config.LayerType;
import dev.gdn.model.config.ModelConfig;
import dev.gdn.model.file.NumberReader;
import dev.gdn.model.file.NumberWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ObjLongConsumer;

/**
 * What one layer remembers of a sequence. Used by one thread at a time; forks of it may be used by
 * others.
 */
public sealed interface LayerState
    permits RecurrentState, AttentionState, IndexedAttentionState, NgramState, NgramLayerState {
  /** Back to the state before the first token. */
  void clear();

  /** A copy that goes its own way; what is not changed afterwards may be shared. */
  LayerState fork();

  /**
   * Becomes what another state is, which stays as it is.
   *
   * @param other of the same layer of the same model
   */
  void restore(LayerState other);

  /** Shows each block of memory and its size in bytes; forks may hold the same ones. */
  void forEachBlock(ObjLongConsumer<Object> block);

  /** Bytes that {@link #write} writes after so many tokens. */
  long storedBytes(int tokens);

  /** Writes everything. */
  void write(NumberWriter out) throws IOException;

  /**
   * Becomes what was written.
   *
   * @param tokens of the sequence; {@link #storedBytes} of so many are read
   */
  void read(NumberReader in, int[] tokens) throws IOException;

  /** What the layer's token mixer remembers. */
  default LayerState mixer() {
    return this;
  }

  /** The states of all layers before the first token. */
  static List<LayerState> initial(ModelConfig config, KeyValueType keyValues) {
    List<LayerState> states = new ArrayList<>();
    for (int i = 0; i < config.layers().size(); i++) {
      LayerState mixer = mixer(config, config.layers().get(i), keyValues);
      states.add(
          config
              .ngrams(i)
              .<LayerState>map(c -> new NgramLayerState(NgramState.empty(config, c), mixer))
              .orElse(mixer));
    }
    return List.copyOf(states);
  }

  private static LayerState mixer(ModelConfig config, LayerType type, KeyValueType keyValues) {
    return switch (type) {
      case LINEAR_ATTENTION -> RecurrentState.zeros(config.linearAttention());
      case FULL_ATTENTION ->
          switch (config.attention()) {
            case AttentionConfig c ->
                c.indexer()
                    .<LayerState>map(indexer -> IndexedAttentionState.empty(c, indexer, keyValues))
                    .orElseGet(() -> AttentionState.empty(c, keyValues));
            case LatentAttentionConfig c -> AttentionState.latent(c, keyValues);
          };
    };
  }
}
