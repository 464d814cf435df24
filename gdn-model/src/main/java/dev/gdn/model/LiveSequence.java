package dev.gdn.model;

import dev.gdn.core.kernel.Kernels;
import dev.gdn.model.layer.ForwardPass;
import dev.gdn.model.layer.LayerState;
import dev.gdn.model.layer.ModelWeights;
import dev.gdn.model.observer.ForwardObserver;
import dev.gdn.model.state.SequenceState;
import dev.gdn.model.state.Stops;
import dev.gdn.model.state.TokenHistory;
import java.util.List;

/**
 * A sequence as it grows: the states of all layers, the tokens so far and the logits that follow
 * them, and the memory to compute with. It knows of no other sequence and checks no arguments. Used
 * by one thread at a time.
 */
final class LiveSequence {
  /** Tokens of one block: enough to reuse each weight well, few enough to stay small. */
  private static final int BLOCK = Stops.INTERVAL;

  private static final int[] CAPACITIES = {1, 64, BLOCK};

  /** Blocks of up to so many tokens are soon done, and are not undone. */
  private static final int SOON_DONE = 16;

  private static final Runnable NOTHING = () -> {};

  private final LanguageModel model;
  private final ModelWeights weights;
  private final Kernels kernels;
  private final List<LayerState> layers;
  private final float[] logits;
  private final TokenHistory history = new TokenHistory();
  private ForwardPass pass;
  private boolean logitsKnown;
  private boolean broken;
  // Whether it goes on from a file's state.
  private boolean fromFile;
  // The state as it stands, if it has been copied since it last changed.
  private SequenceState copied;

  /**
   * @param layers before the first token
   */
  LiveSequence(
      LanguageModel model, ModelWeights weights, Kernels kernels, List<LayerState> layers) {
    this.model = model;
    this.weights = weights;
    this.kernels = kernels;
    this.layers = layers;
    this.logits = new float[weights.config().vocabularySize()];
  }

  /**
   * A sequence that stands where this one does; keys and values are shared until one is written.
   */
  LiveSequence fork(Kernels kernels) {
    LiveSequence fork =
        new LiveSequence(model, weights, kernels, layers.stream().map(LayerState::fork).toList());
    fork.history.set(history.toArray());
    fork.logitsKnown = logitsKnown;
    fork.fromFile = fromFile;
    System.arraycopy(logits, 0, fork.logits, 0, logits.length);
    return fork;
  }

  int position() {
    return history.length();
  }

  int[] tokens() {
    return history.toArray();
  }

  boolean consistsOf(int[] first, List<Integer> next) {
    return history.consistsOf(first, next);
  }

  List<LayerState> layers() {
    return layers;
  }

  /**
   * What follows the last token, if that is {@linkplain #hasLogits() known}; else of no meaning.
   */
  float[] logits() {
    return logits;
  }

  boolean hasLogits() {
    return logitsKnown;
  }

  /** Whether a call failed half-way, so that layers and tokens do not belong together. */
  boolean isBroken() {
    return broken;
  }

  /** Whether a prompt can be read from here on, or has been. */
  boolean leadsTo(int[] prompt) {
    return !broken
        && history.isPrefixOf(prompt)
        && (logitsKnown || history.length() < prompt.length);
  }

  /** Makes room to take so many tokens; returns how many a block then takes. */
  int reserve(int tokens) {
    int wanted = BLOCK;
    for (int capacity : CAPACITIES) {
      if (tokens <= capacity) {
        wanted = capacity;
        break;
      }
    }
    if (pass == null || pass.capacity() < wanted) {
      pass = new ForwardPass(weights, kernels, layers, wanted);
    }
    return pass.capacity();
  }

  /** Takes one token. */
  void decode(int[] single, ForwardObserver observer) {
    run(single, 0, 1, observer, NOTHING);
  }

  /**
   * Takes a block of a prompt, no larger than what was reserved. One that ends half-way is undone,
   * unless it is so short that a copy of the state before it would not be worth its cost.
   *
   * @param beforeLayer may end it by an exception, unless it is that short
   */
  void take(int[] ids, int from, int count, ForwardObserver observer, Runnable beforeLayer) {
    boolean start = position() == 0;
    if (!start && count <= SOON_DONE) {
      run(ids, from, count, observer, NOTHING);
      return;
    }
    SequenceState before = start ? null : copy();
    try {
      run(ids, from, count, observer, beforeLayer);
    } catch (Throwable e) {
      if (start) {
        clear();
      } else {
        set(before);
      }
      throw e;
    }
  }

  private void run(
      int[] ids, int from, int tokens, ForwardObserver observer, Runnable beforeLayer) {
    int position = position();
    broken = true;
    copied = null;
    logitsKnown = false;
    boolean last = from + tokens == ids.length;
    try {
      pass.run(ids, from, tokens, position, observer, beforeLayer);
      if (observer.wantsLogits()) {
        pass.allLogits(tokens, position, observer, logits);
      } else if (last) {
        pass.lastLogits(tokens, logits);
      }
    } catch (InternalError error) {
      throw model.weightFault(error);
    } catch (IllegalStateException failure) {
      throw model.closedMeanwhile(failure);
    }
    history.add(ids, from, tokens);
    logitsKnown = last;
    broken = false;
  }

  /** The state as it stands. */
  SequenceState copy() {
    if (copied == null || (logitsKnown && !copied.hasLogits())) {
      copied = new SequenceState(layers, history.toArray(), logitsKnown ? logits : null, fromFile);
    }
    return copied;
  }

  /** Stands where a copy was made. */
  void set(SequenceState state) {
    broken = true;
    state.copyTo(layers, logits);
    history.set(state.tokens());
    logitsKnown = state.hasLogits();
    fromFile = state.isFromFile();
    copied = state;
    broken = false;
  }

  /** Forgets all tokens; the memory is kept. */
  void clear() {
    layers.forEach(LayerState::clear);
    history.clear();
    copied = null;
    logitsKnown = false;
    fromFile = false;
    broken = false;
  }
}
