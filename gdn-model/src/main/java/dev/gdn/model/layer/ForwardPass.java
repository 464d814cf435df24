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

  // Without an embedding of n-grams, a layer's is null.
  private record Layer(
      NgramBlock ngrams,
      ResidualBlock mixerResidual,
      MixerBlock mixer,
      ResidualBlock feedForwardResidual,
      FeedForwardBlock feedForward) {}

  private final ModelWeights weights;
  private final Kernels kernels;
  private final int capacity;
  private final TokenTensor hidden;
  private final TokenTensor delta;
  private final RotaryAngles angles;
  private final List<Layer> layers = new ArrayList<>();
  private final ResidualBlock last;
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
    this.hidden = TokenTensor.zeros(capacity, config.residualWidth());
    this.delta = TokenTensor.zeros(capacity, config.hiddenSize());
    this.angles =
        weights.rotary().map(rotary -> new RotaryAngles(capacity, rotary.pairs())).orElse(null);
    this.lastLogits = TokenTensor.zeros(1, config.vocabularySize());
    this.lastHead = new Projection[] {new Projection(weights.head(), lastLogits)};
    var residuals = new ResidualBlocks(config, kernels, capacity);
    var mixers = new MixerBlocks(weights, kernels, angles, delta, capacity);
    var feedForwards = new FeedForwardBlocks(kernels, delta, capacity);
    for (int i = 0; i < weights.layers().size(); i++) {
      LayerWeights layer = weights.layers().get(i);
      layers.add(
          new Layer(
              ngrams(layer, states.get(i)),
              residuals.of(layer.mixerResidual()),
              mixers.of(layer.mixer(), states.get(i).mixer()),
              residuals.of(layer.feedForwardResidual()),
              feedForwards.of(config.feedForwards().get(i), layer.feedForward())));
    }
    this.last = residuals.of(weights.last());
  }

  private NgramBlock ngrams(LayerWeights layer, LayerState state) {
    return state instanceof NgramLayerState both
        ? new NgramBlock(
            layer.ngrams().orElseThrow(), weights.config(), kernels, both.ngrams(), capacity)
        : null;
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
      repeat(hidden, t, weights.config().hiddenSize());
    }
    observer.hidden(0, position, tokens, hidden);
    if (angles != null) {
      weights.rotary().get().fill(angles, position, tokens);
    }
    for (int i = 0; i < layers.size(); i++) {
      beforeLayer.run();
      Layer layer = layers.get(i);
      if (layer.ngrams() != null) {
        layer.ngrams().add(ids, from, tokens, position, hidden);
      }
      layer.mixer().mix(layer.mixerResidual().read(hidden, tokens), tokens);
      layer.mixerResidual().write(delta, hidden, tokens);
      layer.feedForward().apply(layer.feedForwardResidual().read(hidden, tokens), tokens);
      layer.feedForwardResidual().write(delta, hidden, tokens);
      observer.hidden(i + 1, position, tokens, hidden);
    }
  }

  /** Fills the residual streams after the first with what that holds. */
  private static void repeat(TokenTensor hidden, int token, int width) {
    int at = hidden.at(token);
    for (int to = width; to < hidden.width(); to += width) {
      System.arraycopy(hidden.data(), at, hidden.data(), at + to, width);
    }
  }

  /**
   * Logits of the last token of the block just run.
   *
   * @param target takes one value for each vocabulary entry
   */
  public void lastLogits(int tokens, float[] target) {
    TokenTensor x = last.read(hidden.from(tokens - 1), 1);
    kernels.matrix().multiply(x, 1, lastHead);
    System.arraycopy(lastLogits.data(), 0, target, 0, target.length);
  }

  /**
   * Tells the observer what the head reads, and the logits of every token of the block just run.
   *
   * @param target takes those of the last token
   */
  public void allLogits(int tokens, int position, ForwardObserver observer, float[] target) {
    TokenTensor x = last.read(hidden, tokens);
    observer.hidden(layers.size() + 1, position, tokens, x);
    int block = Math.min(capacity, HEAD_BLOCK);
    if (head == null) {
      logits = TokenTensor.zeros(block, lastLogits.width());
      head = new Projection[] {new Projection(weights.head(), logits)};
    }
    for (int t = 0; t < tokens; t += block) {
      int count = Math.min(block, tokens - t);
      kernels.matrix().multiply(x.from(t), count, head);
      for (int i = 0; i < count; i++) {
        observer.logits(position + t + i, logits.data(), logits.at(i), logits.width());
      }
      System.arraycopy(logits.data(), logits.at(count - 1), target, 0, target.length);
    }
  }
}
