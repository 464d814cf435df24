package dev.gdn.model;

import dev.gdn.core.kernel.Kernels;
import dev.gdn.model.error.ContextFullException;
import dev.gdn.model.error.SessionFileException;
import dev.gdn.model.event.DecodeEvent;
import dev.gdn.model.event.PrefillEvent;
import dev.gdn.model.event.PrefixReuseEvent;
import dev.gdn.model.layer.ForwardPass;
import dev.gdn.model.layer.LayerState;
import dev.gdn.model.layer.ModelWeights;
import dev.gdn.model.observer.ForwardObserver;
import dev.gdn.model.state.PrefixCache;
import dev.gdn.model.state.SequenceState;
import dev.gdn.model.state.StateFile;
import dev.gdn.model.state.Stops;
import dev.gdn.model.state.TokenHistory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicReference;

/**
 * One conversation with a model: convolution windows, recurrent states, KV caches and the tokens so
 * far. It goes on where it stands, by {@link #prefill} (many tokens at once, the chunk form) and
 * {@link #decode} (one, the recurrent form), in any mixture; the logits are the same up to
 * rounding. Or it is given a whole prompt, by {@link #read}, and reads only what neither it nor
 * another session of the model has read before.
 *
 * <p>Its state can be {@linkplain #snapshot() kept}, {@linkplain #fork() forked}, {@linkplain
 * #rollback set back} and {@linkplain #save saved}. Keys and values are then shared until one side
 * goes on, so that it costs the same after many tokens as after few.
 *
 * <p>Used by one thread at a time; a second one is refused with {@link IllegalStateException}. Only
 * {@link #cancel()} is for other threads. A call with bad arguments changes nothing. A prompt that
 * is cancelled or fails leaves the session after the blocks that are done, at {@link #position()}.
 * Where a call fails half-way through tokens so few that the state before them was not kept, the
 * session is refused from then on until it is {@linkplain #clear() cleared}.
 */
public final class Session {
  /** Tokens of one prefill block: enough to reuse each weight well, few enough to stay small. */
  private static final int BLOCK = Stops.INTERVAL;

  private static final int[] CAPACITIES = {1, 64, BLOCK};

  /** Blocks of up to so many tokens are soon done, and cannot be cancelled half-way. */
  private static final int SOON_DONE = 16;

  private static final Runnable NOTHING = () -> {};

  private final LanguageModel model;
  private final ModelWeights weights;
  private final Kernels kernels;
  private final List<LayerState> layers;
  private final float[] logits;
  private final TokenHistory history = new TokenHistory();
  private final int[] single = new int[1];
  private final AtomicReference<Thread> user = new AtomicReference<>();
  private volatile boolean cancelled;
  private ForwardPass pass;
  private boolean logitsKnown;
  private boolean broken;
  // The state as it stands, if it has been copied since it last changed.
  private SequenceState copied;

  /**
   * @param layers the states of all layers, before the first token or after some
   */
  Session(LanguageModel model, ModelWeights weights, Kernels kernels, List<LayerState> layers) {
    this.model = model;
    this.weights = weights;
    this.kernels = kernels;
    this.layers = layers;
    this.logits = new float[weights.config().vocabularySize()];
  }

  /** Tokens taken so far: the position of the next one. */
  public int position() {
    return history.length();
  }

  /** Tokens that still fit. */
  public int remaining() {
    return model.context() - position();
  }

  /** The tokens taken so far. */
  public int[] tokens() {
    return history.toArray();
  }

  /**
   * Takes a piece of prompt after what there is.
   *
   * @param ids at least one, each in the vocabulary
   * @return the logits that follow the last token: one for each vocabulary entry, valid until the
   *     next call
   * @throws IllegalArgumentException if there are no ids, or one is outside the vocabulary
   * @throws ContextFullException if they do not fit
   * @throws CancellationException if the thread is interrupted, which is then consumed, or the call
   *     {@linkplain #cancel() cancelled}; the session then stands at {@link #position()}, after the
   *     blocks it has taken, and can be used on
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
      checkIds(ids);
      checkFit(position(), ids.length);
      advance(ids, 0, Stops.REGULAR, observer);
      return logits;
    } finally {
      user.set(null);
    }
  }

  /**
   * Stands after exactly these tokens, without message borders.
   *
   * @see #read(int[], int[], ForwardObserver)
   */
  public Reading read(int... prompt) {
    return read(prompt, new int[0], ForwardObserver.NONE);
  }

  /**
   * Stands after exactly these tokens. What the session or any other of the model has read before
   * is not read again: it goes on from the longest beginning of the prompt whose state there is. On
   * the way, states are kept for later prompts, at the message borders, at every 512th token and at
   * the end of the prompt, as the model's {@linkplain ModelOptions#snapshotBytes() budget} allows.
   *
   * <p>The logits are those of a new session that prefills the prompt; bit for bit if its blocks
   * end where these did, else up to rounding.
   *
   * @param prompt at least one token, each in the vocabulary
   * @param borders positions in the prompt where messages end, which later prompts are likely to
   *     share; of those closer together than 64 tokens, the last one counts
   * @param observer told the progress over the tokens that are read, and what is computed
   * @throws IllegalArgumentException if there are no tokens, one is outside the vocabulary, or a
   *     border outside the prompt
   * @throws ContextFullException if they do not fit
   * @throws CancellationException if the thread is interrupted, which is then consumed, or the call
   *     {@linkplain #cancel() cancelled}; the session then stands at {@link #position()}, after the
   *     part of the prompt that it has, and can be used on
   */
  public Reading read(int[] prompt, int[] borders, ForwardObserver observer) {
    enter();
    try {
      checkIds(prompt);
      checkFit(0, prompt.length);
      return read(prompt, Stops.at(borders, prompt.length), observer);
    } finally {
      user.set(null);
    }
  }

  private Reading read(int[] prompt, Stops stops, ForwardObserver observer) {
    PrefixReuseEvent event = new PrefixReuseEvent();
    event.begin();
    int reused = resume(prompt);
    event.found(prompt.length, reused);
    if (reused < prompt.length) {
      advance(prompt, reused, stops, observer);
      if (model.prefixes().isOpen()) {
        model.prefixes().offer(copy(), true);
      }
    }
    return new Reading(logits, reused, prompt.length - reused);
  }

  // Stands at the longest beginning of the prompt that there is; returns its length.
  private int resume(int[] prompt) {
    PrefixCache prefixes = model.prefixes();
    boolean goesOn = history.isPrefixOf(prompt) && (logitsKnown || position() < prompt.length);
    Optional<SequenceState> kept = prefixes.longest(prompt);
    if (goesOn && position() >= kept.map(SequenceState::position).orElse(0)) {
      return position();
    }
    if (!goesOn && prefixes.isOpen()) {
      prefixes.offer(copy(), false);
    }
    if (kept.isPresent()) {
      set(kept.get());
    } else {
      forget();
    }
    return position();
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
      checkIds(single);
      checkFit(position(), 1);
      reserve(1);
      DecodeEvent event = new DecodeEvent();
      event.begin();
      run(single, 0, 1, observer, NOTHING);
      event.taken(position() - 1);
      return logits;
    } finally {
      user.set(null);
    }
  }

  /** Forgets all tokens; the memory is kept for reuse. */
  public void clear() {
    enterAnyway();
    try {
      forget();
    } finally {
      user.set(null);
    }
  }

  /**
   * Goes back to an earlier position: to the nearest state that is kept, from where tokens are read
   * again.
   *
   * @param position from 0 to {@link #position()}
   * @return how many tokens were reused and read again; at position 0, where nothing was, its
   *     logits mean nothing
   * @throws IllegalArgumentException if the position is out of range
   * @throws CancellationException as {@link #read} does
   */
  public Reading rollback(int position) {
    enter();
    try {
      if (position < 0 || position > position()) {
        throw new IllegalArgumentException(
            "position: expected from 0 to %d, found %d".formatted(position(), position));
      }
      if (position == 0) {
        forget();
        return new Reading(logits, 0, 0);
      }
      return read(Arrays.copyOf(history.toArray(), position), Stops.REGULAR, ForwardObserver.NONE);
    } finally {
      user.set(null);
    }
  }

  /**
   * A session that stands where this one does and goes its own way, at the cost of copying the
   * recurrent states; keys and values are copied when one of the two writes where they are.
   *
   * @throws IllegalStateException if the model is closed
   */
  public Session fork() {
    enter();
    try {
      Session fork = model.newSession(layers.stream().map(LayerState::fork).toList());
      fork.history.set(history.toArray());
      fork.logitsKnown = logitsKnown;
      System.arraycopy(logits, 0, fork.logits, 0, logits.length);
      return fork;
    } finally {
      user.set(null);
    }
  }

  /** The state as it stands. */
  public Snapshot snapshot() {
    enter();
    try {
      return new Snapshot(model, copy());
    } finally {
      user.set(null);
    }
  }

  /**
   * Stands where a session did when the snapshot was taken.
   *
   * @throws IllegalArgumentException if it is of another model
   */
  public void restore(Snapshot snapshot) {
    if (snapshot.model() != model) {
      throw new IllegalArgumentException("snapshot: expected one of this model, found another's");
    }
    enterAnyway();
    try {
      set(snapshot.state());
    } finally {
      user.set(null);
    }
  }

  /**
   * The logits that follow the last token: one for each vocabulary entry, valid until the next
   * call.
   *
   * @throws IllegalStateException if there is no token, or the session stands within a prompt that
   *     was cancelled
   */
  public float[] logits() {
    enter();
    try {
      if (!logitsKnown) {
        throw new IllegalStateException(
            "there are no logits at position %d: nothing was read to its end there"
                .formatted(position()));
      }
      return logits;
    } finally {
      user.set(null);
    }
  }

  /**
   * Writes the session to a file, to be {@linkplain #load loaded} with the same model later. A file
   * that is there is replaced when all is written.
   *
   * @throws IOException if it cannot be written
   */
  public void save(Path file) throws IOException {
    enter();
    try {
      file(file).write(layers, history.toArray(), logitsKnown ? logits : null);
    } finally {
      user.set(null);
    }
  }

  /**
   * Stands where a session of the same model did when it was saved.
   *
   * @throws SessionFileException if there is no such file, it is damaged, or it was saved with
   *     another model or another type of KV cache, or more tokens than fit; the session is then as
   *     it was
   */
  public void load(Path file) {
    enterAnyway();
    try {
      model.checkOpen();
      List<LayerState> read = LayerState.initial(weights.config(), model.keyValueType());
      StateFile.Content content = file(file).read(read);
      set(new SequenceState(read, content.tokens(), content.logits()));
    } finally {
      user.set(null);
    }
  }

  private StateFile file(Path path) {
    return new StateFile(
        path, model.identity(), model.keyValueType(), logits.length, model.context());
  }

  /**
   * Ends the prefill or read that is in progress with {@link CancellationException}, within a layer
   * or so. Without one nothing happens. May be called by any thread.
   */
  public void cancel() {
    if (user.get() != null) {
      cancelled = true;
    }
  }

  // Takes the tokens from index `from` on; states are kept at the stops on the way.
  private void advance(int[] ids, int from, Stops stops, ForwardObserver observer) {
    PrefillEvent event = new PrefillEvent();
    event.begin();
    int start = position();
    try {
      runBlocks(ids, from, stops, observer);
    } finally {
      int taken = position() - start;
      event.taken(start, taken, taken == ids.length - from);
    }
  }

  private void runBlocks(int[] ids, int from, Stops stops, ForwardObserver observer) {
    reserve(ids.length - from);
    for (int at = from; at < ids.length; ) {
      checkCancelled(observer);
      int room = Math.min(pass.capacity(), stops.after(position()) - position());
      int count = Math.min(room, ids.length - at);
      runBlock(ids, at, count, observer);
      at += count;
      if (at < ids.length && stops.contains(position()) && model.prefixes().isOpen()) {
        model.prefixes().offer(copy(), stops.isBorder(position()));
      }
      observer.progress(at - from, ids.length - from);
    }
  }

  // A block that ends half-way is undone, unless it is so short that a copy of the state before it
  // would not be worth its cost.
  private void runBlock(int[] ids, int from, int count, ForwardObserver observer) {
    boolean start = position() == 0;
    if (!start && count <= SOON_DONE) {
      run(ids, from, count, observer, NOTHING);
      return;
    }
    SequenceState before = start ? null : copy();
    try {
      run(ids, from, count, observer, () -> checkCancelled(observer));
    } catch (Throwable e) {
      if (start) {
        forget();
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
    }
    history.add(ids, from, tokens);
    logitsKnown = last;
    broken = false;
  }

  private SequenceState copy() {
    if (copied == null || (logitsKnown && !copied.hasLogits())) {
      copied = new SequenceState(layers, history.toArray(), logitsKnown ? logits : null);
    }
    return copied;
  }

  private void set(SequenceState state) {
    broken = true;
    state.copyTo(layers, logits);
    history.set(state.tokens());
    logitsKnown = state.hasLogits();
    copied = state;
    broken = false;
  }

  private void forget() {
    layers.forEach(LayerState::clear);
    history.clear();
    copied = null;
    logitsKnown = false;
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
      pass = new ForwardPass(weights, kernels, layers, wanted);
    }
  }

  private void checkIds(int[] ids) {
    int vocabulary = weights.config().vocabularySize();
    if (ids.length == 0) {
      throw new IllegalArgumentException("prompt: expected at least one token, found none");
    }
    for (int i = 0; i < ids.length; i++) {
      if (ids[i] < 0 || ids[i] >= vocabulary) {
        throw new IllegalArgumentException(
            "token %d of the prompt: expected an id from 0 to %d, found %d"
                .formatted(i, vocabulary - 1, ids[i]));
      }
    }
  }

  private void checkFit(int position, int more) {
    if (more > model.context() - position) {
      throw new ContextFullException(position, more, model.context());
    }
  }

  private void checkCancelled(ForwardObserver observer) {
    if (Thread.interrupted()) {
      throw new CancellationException("interrupted at position " + position());
    }
    if (cancelled || observer.isCancelled()) {
      throw new CancellationException("cancelled at position " + position());
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
    cancelled = false;
  }
}
