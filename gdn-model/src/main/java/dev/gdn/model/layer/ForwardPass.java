package dev.gdn.model.layer;

import dev.gdn.core.kernel.Kernels;
import dev.gdn.core.kernel.Projection;
import dev.gdn.core.kernel.RotaryAngles;
import dev.gdn.core.tensor.TokenTensor;
import dev.gdn.model.config.ModelConfig;
import dev.gdn.model.observer.ForwardObserver;
import java.util.ArrayList;
import java.util.List;

/**
 * The forward pass of one session over blocks of at most {@link #capacity()} tokens: embedding,
 * layers, norm, head. Activations are allocated once. Used by one thread at a time.
 */
public final class ForwardPass {
  /** Tokens whose logits are computed together when all are wanted. */
  private static final int HEAD_BLOCK = 16;

  private record Layer(LayerWeights weights, MixerBlock mixer, FeedForwardBlock feedForward) {}

  private final ModelWeights weights;
  private final Kernels kernels;
  private final int capacity;
  private final TokenTensor hidden;
  private final TokenTensor normed;
  private final TokenTensor delta;
  private final RotaryAngles angles;
  private final List<Layer> layers = new ArrayList<>();
  private final TokenTensor last;
  private final TokenTensor lastLogits;
  private final Projection[] lastHead;
  // Of HEAD_BLOCK tokens, once an observer asks for them: megabytes with a large vocabulary.
  private TokenTensor logits;
  private Projection[] head;

  /**
   * A pass that moves {@code states} on.
   *
   * @param capacity tokens of one block, at least 1
   */
  public ForwardPass(ModelWeights weights, Kernels kernels, List<LayerState> states, int capacity) {
    ModelConfig config = weights.config();
    this.weights = weights;
    this.kernels = kernels;
    this.capacity = capacity;
    this.hidden = TokenTensor.zeros(capacity, config.hiddenSize());
    this.normed = TokenTensor.zeros(capacity, config.hiddenSize());
    this.delta = TokenTensor.zeros(capacity, config.hiddenSize());
    this.angles = new RotaryAngles(capacity, weights.rotary().pairs());
    this.last = TokenTensor.zeros(1, config.hiddenSize());
    this.lastLogits = TokenTensor.zeros(1, config.vocabularySize());
    this.lastHead = new Projection[] {new Projection(weights.head(), lastLogits)};
    var deltaScratch = new GatedDeltaBlock.Scratch(config.linearAttention(), capacity);
    var attentionScratch = new AttentionBlock.Scratch(config.attention(), capacity);
    var feedForwards = new FeedForwardBlocks(kernels, delta, capacity);
    for (int i = 0; i < weights.layers().size(); i++) {
      LayerWeights layer = weights.layers().get(i);
      MixerBlock mixer =
          switch (layer.mixer()) {
            case GatedDeltaWeights w ->
                new GatedDeltaBlock(
                    w,
                    config.linearAttention(),
                    weights.heads(),
                    kernels,
                    deltaScratch,
                    (RecurrentState) states.get(i),
                    delta);
            case AttentionWeights w ->
                new AttentionBlock(
                    w,
                    config.attention(),
                    kernels,
                    attentionScratch,
                    angles,
                    (AttentionState) states.get(i),
                    delta);
          };
      layers.add(
          new Layer(
              layer, mixer, feedForwards.of(config.feedForwards().get(i), layer.feedForward())));
    }
  }

  /** Tokens of the largest block. */
  public int capacity() {
    return capacity;
  }

  /**
   * Takes the next tokens through all layers.
   *
   * @param ids token ids, each in the vocabulary
   * @param from index of the first
   * @param tokens from 1 to {@link #capacity()}
   * @param position of the first token in the sequence
   * @param observer told the hidden states
   * @param beforeLayer run before each layer; what it throws ends the pass half-way
   */
  public void run(
      int[] ids,
      int from,
      int tokens,
      int position,
      ForwardObserver observer,
      Runnable beforeLayer) {
    for (int t = 0; t < tokens; t++) {
      weights.embedding().decodeRow(ids[from + t], hidden.data(), hidden.at(t));
    }
    observer.hidden(0, position, tokens, hidden);
    weights.rotary().fill(angles, position, tokens);
    for (int i = 0; i < layers.size(); i++) {
      beforeLayer.run();
      Layer layer = layers.get(i);
      kernels.normalization().rms(layer.weights().mixerNorm(), hidden, normed, tokens);
      layer.mixer().mix(normed, tokens);
      kernels.elementwise().add(delta, hidden, tokens);
      kernels.normalization().rms(layer.weights().feedForwardNorm(), hidden, normed, tokens);
      layer.feedForward().apply(normed, tokens);
      kernels.elementwise().add(delta, hidden, tokens);
      observer.hidden(i + 1, position, tokens, hidden);
    }
  }

  /**
   * Logits of the last token of the block just run.
   *
   * @param target takes one value for each vocabulary entry
   */
  public void lastLogits(int tokens, float[] target) {
    int width = last.width();
    System.arraycopy(hidden.data(), hidden.at(tokens - 1), last.data(), 0, width);
    kernels.normalization().rms(weights.norm(), last, last, 1);
    kernels.matrix().multiply(last, 1, lastHead);
    System.arraycopy(lastLogits.data(), 0, target, 0, target.length);
  }

  /**
   * Tells the observer the final norm and the logits of every token of the block just run.
   *
   * @param target takes those of the last token
   */
  public void allLogits(int tokens, int position, ForwardObserver observer, float[] target) {
    kernels.normalization().rms(weights.norm(), hidden, normed, tokens);
    observer.hidden(layers.size() + 1, position, tokens, normed);
    int block = Math.min(capacity, HEAD_BLOCK);
    if (head == null) {
      logits = TokenTensor.zeros(block, lastLogits.width());
      head = new Projection[] {new Projection(weights.head(), logits)};
    }
    for (int t = 0; t < tokens; t += block) {
      int count = Math.min(block, tokens - t);
      kernels.matrix().multiply(normed.from(t), count, head);
      for (int i = 0; i < count; i++) {
        observer.logits(position + t + i, logits.data(), logits.at(i), logits.width());
      }
      System.arraycopy(logits.data(), logits.at(count - 1), target, 0, target.length);
    }
  }
}
