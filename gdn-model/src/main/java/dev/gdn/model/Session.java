package dev.gdn.model;

import dev.gdn.model.error.ContextFullException;
import dev.gdn.model.error.SessionFileException;
import dev.gdn.model.event.DecodeEvent;
import dev.gdn.model.event.Recorder;
import dev.gdn.model.layer.LayerState;
import dev.gdn.model.observer.ForwardObserver;
import dev.gdn.model.state.SequenceState;
import dev.gdn.model.state.StateFile;
import dev.gdn.model.state.Stops;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;

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
 * session is refused from then on until it is {@linkplain #clear() cleared}, set back or given a
 * whole prompt.
 */
public final class Session {
  private final LanguageModel model;
  private final LiveSequence live;
  private final int[] single = new int[1];
  private final SoleUser user = new SoleUser();
  private final PromptReader reader;

  Session(LanguageModel model, LiveSequence live) {
    this.model = model;
    this.live = live;
    reader = new PromptReader(live, model.prefixes(), user::isCancelled);
  }

  LanguageModel model() {
    return model;
  }

  /** Tokens taken so far: the position of the next one. */
  public int position() {
    return live.position();
  }

  /**
   * The tokens taken so far and more of them: a prompt to {@link #read} or generate with that goes
   * on where the session stands.
   */
  public int[] followedBy(int... more) {
    Objects.requireNonNull(more, "more");
    int[] tokens = live.tokens();
    int[] all = Arrays.copyOf(tokens, Math.addExact(tokens.length, more.length));
    System.arraycopy(more, 0, all, tokens.length, more.length);
    return all;
  }

  /** Tokens that still fit. */
  public int remaining() {
    return model.context() - position();
  }

  /** The tokens taken so far. */
  public int[] tokens() {
    return live.tokens();
  }

  /** Whether they are a prompt and the first of what followed. */
  boolean holds(int[] prompt, List<Integer> generated) {
    return live.consistsOf(prompt, generated);
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
    Objects.requireNonNull(ids, "ids");
    Objects.requireNonNull(observer, "observer");
    try (SoleUser.Stay _ = enter()) {
      checkPrompt(ids);
      checkFit(position(), ids.length);
      reader.append(ids, 0, Stops.REGULAR, observer);
      return live.logits();
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
    Objects.requireNonNull(prompt, "prompt");
    Objects.requireNonNull(borders, "borders");
    Objects.requireNonNull(observer, "observer");
    try (SoleUser.Stay _ = enterAnyway()) {
      checkPrompt(prompt);
      checkFit(0, prompt.length);
      return reader.read(prompt, Stops.at(borders, prompt.length), observer);
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
    Objects.requireNonNull(observer, "observer");
    try (SoleUser.Stay _ = enter()) {
      int vocabulary = model.config().vocabularySize();
      if (id < 0 || id >= vocabulary) {
        throw new IllegalArgumentException(
            "token: expected an id from 0 to %d, found %d".formatted(vocabulary - 1, id));
      }
      single[0] = id;
      checkFit(position(), 1);
      live.reserve(1);
      Optional<DecodeEvent> event = Recorder.beginDecode();
      live.decode(single, observer);
      event.ifPresent(begun -> begun.taken(position() - 1));
      return live.logits();
    }
  }

  /**
   * Forgets all tokens; the memory is kept for reuse.
   *
   * @throws IllegalStateException if the model is closed
   */
  public void clear() {
    try (SoleUser.Stay _ = enterAnyway()) {
      live.clear();
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
    try (SoleUser.Stay _ = enter()) {
      if (position < 0 || position > position()) {
        throw new IllegalArgumentException(
            "position: expected from 0 to %d, found %d".formatted(position(), position));
      }
      if (position == 0) {
        live.clear();
        return new Reading(live.logits(), 0, 0);
      }
      return reader.read(
          Arrays.copyOf(live.tokens(), position), Stops.REGULAR, ForwardObserver.NONE);
    }
  }

  /**
   * A session that stands where this one does and goes its own way, at the cost of copying the
   * recurrent states; keys and values are copied when one of the two writes where they are.
   *
   * @throws IllegalStateException if the model is closed
   */
  public Session fork() {
    try (SoleUser.Stay _ = enter()) {
      return new Session(model, live.fork(model.openKernels()));
    }
  }

  /** The state as it stands. */
  public Snapshot snapshot() {
    try (SoleUser.Stay _ = enter()) {
      return new Snapshot(model, live.copy());
    }
  }

  /**
   * Stands where a session did when the snapshot was taken.
   *
   * @throws IllegalArgumentException if it is of another model
   * @throws IllegalStateException if the model is closed
   */
  public void restore(Snapshot snapshot) {
    Objects.requireNonNull(snapshot, "snapshot");
    if (snapshot.model() != model) {
      throw new IllegalArgumentException("snapshot: expected one of this model, found another's");
    }
    try (SoleUser.Stay _ = enterAnyway()) {
      live.set(snapshot.state());
    }
  }

  /** Whether it is known what follows the last token: it stands at the end of what it was given. */
  boolean hasLogits() {
    return live.hasLogits();
  }

  /**
   * The logits that follow the last token: one for each vocabulary entry, valid until the next
   * call.
   *
   * @throws IllegalStateException if there is no token, or the session stands within a prompt that
   *     was cancelled
   */
  public float[] logits() {
    try (SoleUser.Stay _ = enter()) {
      if (!live.hasLogits()) {
        throw new IllegalStateException(
            "there are no logits at position %d: nothing was read to its end there"
                .formatted(position()));
      }
      return live.logits();
    }
  }

  /**
   * Writes the session to a file, to be {@linkplain #load loaded} with the same model later. A file
   * that is there is replaced when all is written.
   *
   * @throws java.io.InterruptedIOException if the thread is interrupted; it stays so
   * @throws IOException if it cannot be written
   */
  public void save(Path file) throws IOException {
    try (SoleUser.Stay _ = enter()) {
      file(file).write(live.layers(), live.tokens(), live.hasLogits() ? live.logits() : null);
    }
  }

  /**
   * Stands where a session of the same model did when it was saved. A file's numbers need not be
   * those of its tokens, if somebody changed them: what goes on from them is kept for no other
   * session's prompts, unlike other states.
   *
   * @throws SessionFileException if there is no such file, it is damaged, or it was saved with
   *     another model or another type of KV cache, or more tokens than fit, or holds a number that
   *     is not finite; the session is then as it was
   * @throws CancellationException if the thread is interrupted; it stays so, and the session is as
   *     it was
   */
  public void load(Path file) {
    try (SoleUser.Stay _ = enterAnyway()) {
      List<LayerState> read = LayerState.initial(model.config(), model.keyValueType());
      StateFile.Content content = file(file).read(read);
      live.set(new SequenceState(read, content.tokens(), content.logits(), true));
    }
  }

  private StateFile file(Path path) {
    return new StateFile(
        Objects.requireNonNull(path, "file"),
        model.identity(),
        model.keyValueType(),
        model.config().vocabularySize(),
        model.context());
  }

  /**
   * Ends the prefill or read that is in progress with {@link CancellationException}, within a layer
   * or so. Without one nothing happens. May be called by any thread.
   */
  public void cancel() {
    user.cancel();
  }

  private void checkPrompt(int[] ids) {
    int vocabulary = model.config().vocabularySize();
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

  private SoleUser.Stay enter() {
    SoleUser.Stay stay = enterAnyway();
    if (live.isBroken()) {
      stay.close();
      throw new IllegalStateException(
          "this session failed in an earlier call and is to be cleared first");
    }
    return stay;
  }

  private SoleUser.Stay enterAnyway() {
    model.checkOpen();
    return user.enter();
  }
}
