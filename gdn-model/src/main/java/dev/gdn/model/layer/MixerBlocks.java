package dev.gdn.model.layer;

import dev.gdn.core.kernel.Kernels;
import dev.gdn.core.kernel.RotaryAngles;
import dev.gdn.core.tensor.TokenTensor;
import dev.gdn.model.config.AttentionConfig;
import dev.gdn.model.config.LatentAttentionConfig;
import dev.gdn.model.config.ModelConfig;

/**
 * Makes the token mixers of a session. Layers of a kind run one after the other and share their
 * activations.
 */
final class MixerBlocks {
  private final ModelWeights weights;
  private final Kernels kernels;
  private final RotaryAngles angles;
  private final TokenTensor y;
  private final int tokens;
  private GatedDeltaBlock.Scratch delta;
  private AttentionBlock.Scratch attention;
  private LatentAttentionBlock.Scratch latent;

  /**
   * @param angles of a block of tokens; null if nothing is turned
   * @param y takes the results
   * @param tokens most of a block
   */
  MixerBlocks(
      ModelWeights weights, Kernels kernels, RotaryAngles angles, TokenTensor y, int tokens) {
    this.weights = weights;
    this.kernels = kernels;
    this.angles = angles;
    this.y = y;
    this.tokens = tokens;
  }

  MixerBlock of(MixerWeights mixer, LayerState state) {
    ModelConfig config = weights.config();
    return switch (mixer) {
      case GatedDeltaWeights w -> {
        delta =
            delta == null ? new GatedDeltaBlock.Scratch(config.linearAttention(), tokens) : delta;
        yield new GatedDeltaBlock(
            w,
            config.linearAttention(),
            weights.heads(),
            kernels,
            delta,
            (RecurrentState) state,
            y);
      }
      case AttentionWeights w -> {
        AttentionConfig c = (AttentionConfig) config.attention();
        attention = attention == null ? new AttentionBlock.Scratch(c, tokens) : attention;
        yield switch (state) {
          case AttentionState s ->
              new AttentionBlock(w, c, kernels, attention, angles, s.cache(), null, y);
          case IndexedAttentionState s ->
              new AttentionBlock(w, c, kernels, attention, angles, s.cache(), sparse(w, c, s), y);
          default -> throw new IllegalArgumentException("attention: bad state " + state);
        };
      }
      case LatentAttentionWeights w -> {
        LatentAttentionConfig c = (LatentAttentionConfig) config.attention();
        latent = latent == null ? new LatentAttentionBlock.Scratch(c, tokens) : latent;
        yield new LatentAttentionBlock(w, c, kernels, latent, (AttentionState) state, y);
      }
    };
  }

  private SparseAttention sparse(
      AttentionWeights w, AttentionConfig c, IndexedAttentionState state) {
    BlockIndexer indexer =
        new BlockIndexer(
            w.indexer().orElseThrow(),
            c.indexer().orElseThrow(),
            kernels,
            weights.rotary().orElse(null),
            angles,
            state,
            tokens);
    return new SparseAttention(indexer, kernels, state.cache());
  }
}
