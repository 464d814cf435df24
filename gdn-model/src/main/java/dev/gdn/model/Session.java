package dev.gdn.model;

import dev.gdn.core.kernel.Kernels;
import dev.gdn.model.config.ModelConfig;
import dev.gdn.model.error.ContextFullException;
import dev.gdn.model.layer.ForwardPass;
import dev.gdn.model.layer.LayerState;
import dev.gdn.model.layer.ModelWeights;
import dev.gdn.model.observer.ForwardObserver;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicReference;

/**
 * One conversation with a model: convolution windows, recurrent states, KV caches and the position
 * in the sequence. It takes tokens by {@link #prefill} (many at once, the chunk form) and {@link
 * #decode} (one, the recurrent form), in any mixture; the logits are the same up to rounding.
 *
 * <p>Used by one thread at a time; a second one is refused with {@link IllegalStateException}. A
 * call with bad arguments changes nothing. If a call fails half-way for another reason, for example
 * because the model was closed, the session is refused from then on until it is {@linkplain
 * #clear() cleared}.
 */
public final class Session {
  /** Tokens of one prefill block: enough to reuse each weight well, few enough to stay small. */
  private static final int BLOCK = 512;

  private static final int[] CAPACITIES = {1, 64, BLOCK};

  private final LanguageModel model;
  private final ModelWeights weights;
  private final Kernels kernels;
  private final List<LayerState> states;
  private final float[] logits;
  private final int[] single = new int[1];
  private final AtomicReference<Thread> user = new AtomicReference<>();
  private ForwardPass pass;
  private int position;
  private boolean broken;

  Session(LanguageModel model, ModelWeights weights, Kernels kernels) {
    this.model = model;
    this.weights = weights;
    this.kernels = kernels;
    this.states = LayerState.initial(weights.config());
    this.logits = new float[weights.config().vocabularySize()];
  }

  /** Tokens taken so far: the position of the next one. */
  public int position() {
    return position;
  }

  /** Tokens that still fit. */
  public int remaining() {
    return model.context() - position;
  }

  /**
   * Takes a piece of prompt.
   *
   * @param ids at least one, each in the vocabulary
   * @return the logits that follow the last token: one for each vocabulary entry, valid until the
   *     next call
   * @throws IllegalArgumentException if there are no ids, or one is outside the vocabulary
   * @throws ContextFullException if they do not fit
   * @throws CancellationException if the thread is interrupted; the session then stands at {@link
   *     #position()}, after the blocks it has taken, and can be used on
   */
  public float[] prefill(int... ids) {
    return prefill(ids, ForwardObserver.NONE);
  }

  /**
   * Takes a piece of prompt and shows what is computed.
   *
   * @param observer sees it, and may cancel the prompt as an interrupt does
   * @see #prefill(int...)
   */
  public float[] prefill(int[] ids, ForwardObserver observer) {
    enter();
    try {
      check(ids);
      reserve(ids.length);
      for (int from = 0; from < ids.length; from += pass.capacity()) {
        if (observer.isCancelled() || Thread.interrupted()) {
          throw new CancellationException(
              "cancelled after %d of %d tokens".formatted(from, ids.length));
        }
        run(ids, from, Math.min(pass.capacity(), ids.length - from), observer);
        observer.progress(Math.min(ids.length, from + pass.capacity()), ids.length);
      }
      return logits;
    } finally {
      user.set(null);
    }
  }

  /**
   * Takes one token.
   *
   * @param id in the vocabulary
   * @return the logits that follow it: one for each vocabulary entry, valid until the next call
   * @throws IllegalArgumentException if the id is outside the vocabulary
   * @throws ContextFullException if the context is full
   */
  public float[] decode(int id) {
    return decode(id, ForwardObserver.NONE);
  }

  /**
   * Takes one token and shows what is computed.
   *
   * @see #decode(int)
   */
  public float[] decode(int id, ForwardObserver observer) {
    enter();
    try {
      single[0] = id;
      check(single);
      reserve(1);
      run(single, 0, 1, observer);
      return logits;
    } finally {
      user.set(null);
    }
  }

  /** Forgets all tokens; the memory is kept for reuse. */
  public void clear() {
    enterAnyway();
    try {
      states.forEach(LayerState::clear);
      position = 0;
      broken = false;
    } finally {
      user.set(null);
    }
  }

  private void run(int[] ids, int from, int tokens, ForwardObserver observer) {
    broken = true;
    try {
      pass.run(ids, from, tokens, position, observer);
      if (observer.wantsLogits()) {
        pass.allLogits(tokens, position, observer, logits);
      } else if (from + tokens == ids.length) {
        pass.lastLogits(tokens, logits);
      }
    } catch (InternalError error) {
      throw model.weightFault(error);
    }
    position += tokens;
    broken = false;
  }

  // Activations are sized to what is asked of the session, in few steps.
  private void reserve(int tokens) {
    int wanted = BLOCK;
    for (int capacity : CAPACITIES) {
      if (tokens <= capacity) {
        wanted = capacity;
        break;
      }
    }
    if (pass == null || pass.capacity() < wanted) {
      pass = new ForwardPass(weights, kernels, states, wanted);
    }
  }

  private void check(int[] ids) {
    ModelConfig config = weights.config();
    if (ids.length == 0) {
      throw new IllegalArgumentException("prompt: expected at least one token, found none");
    }
    for (int i = 0; i < ids.length; i++) {
      if (ids[i] < 0 || ids[i] >= config.vocabularySize()) {
        throw new IllegalArgumentException(
            "token %d of the prompt: expected an id from 0 to %d, found %d"
                .formatted(i, config.vocabularySize() - 1, ids[i]));
      }
    }
    if (ids.length > remaining()) {
      throw new ContextFullException(position, ids.length, model.context());
    }
  }

  private void enter() {
    model.checkOpen();
    enterAnyway();
    if (broken) {
      user.set(null);
      throw new IllegalStateException(
          "this session failed in an earlier call and is to be cleared first");
    }
  }

  private void enterAnyway() {
    Thread other = user.compareAndExchange(null, Thread.currentThread());
    if (other != null) {
      throw new IllegalStateException(
          "a session is used by one thread at a time; now by " + other.getName());
    }
  }
}
