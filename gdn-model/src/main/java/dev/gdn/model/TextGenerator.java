package dev.gdn.model;

import dev.gdn.model.generation.FinishReason;
import dev.gdn.model.generation.GenerationEvent;
import dev.gdn.model.generation.GenerationOptions;
import dev.gdn.model.generation.GenerationResult;
import dev.gdn.model.observer.ForwardObserver;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Generates text with one session: a whole prompt in, tokens out until a stop id, a stop string,
 * the limit or the end of the context. What the session, or another of the model, has read of the
 * prompt before is not read again. {@link #generate} calls back for every event; {@link #start}
 * leaves the pace to the caller, who takes the events one by one, as a stream or as a publisher,
 * and may cancel. Used by one thread at a time, and one generation at a time.
 */
public final class TextGenerator {
  private static final int[] NO_BORDERS = {};

  private final LanguageModel model;
  private final Session session;

  /**
   * A generator whose prompts are read by a session. To go on where that stands, a prompt is what
   * it has {@linkplain Session#followedBy taken and more}.
   *
   * @param session of {@code model}
   * @throws IllegalArgumentException if it is of another model
   */
  public TextGenerator(LanguageModel model, Session session) {
    this.model = Objects.requireNonNull(model, "model");
    this.session = Objects.requireNonNull(session, "session");
    if (session.model() != model) {
      throw new IllegalArgumentException("session: expected one of this model, found another's");
    }
  }

  /**
   * Generates after a prompt.
   *
   * @see #generate(int[], GenerationOptions, Consumer, ForwardObserver)
   */
  public GenerationResult generate(
      int[] prompt, GenerationOptions options, Consumer<? super GenerationEvent> listener) {
    return generate(prompt, options, listener, ForwardObserver.NONE);
  }

  /**
   * Generates after a prompt. Interrupting the thread ends it with {@link FinishReason#CANCELLED};
   * the interrupt is then consumed, and the session can be used on.
   *
   * @param prompt token ids, at least one: all of them, whatever the session has taken
   * @param listener told each event on this thread
   * @param observer told the progress of the prompt
   * @throws IllegalArgumentException if the prompt is empty, an id is outside the vocabulary, or
   *     the options do not fit the model
   * @throws dev.gdn.model.error.ContextFullException if the prompt does not fit the context
   */
  public GenerationResult generate(
      int[] prompt,
      GenerationOptions options,
      Consumer<? super GenerationEvent> listener,
      ForwardObserver observer) {
    Objects.requireNonNull(listener, "listener");
    Generation generation = start(prompt, NO_BORDERS, options, observer);
    while (true) {
      GenerationEvent event = generation.next();
      listener.accept(event);
      if (event instanceof GenerationEvent.Finished end) {
        return end.result();
      }
    }
  }

  /**
   * A generation after a prompt. Nothing is computed before its first event is asked for.
   *
   * @see #start(int[], int[], GenerationOptions, ForwardObserver)
   */
  public Generation start(int[] prompt, GenerationOptions options) {
    return start(prompt, NO_BORDERS, options, ForwardObserver.NONE);
  }

  /**
   * A generation after a prompt in messages. Nothing is computed before its first event is asked
   * for.
   *
   * @param prompt token ids, all of them, whatever the session has taken
   * @param borders positions in the prompt where messages end, as {@link Session#read(int[], int[],
   *     ForwardObserver)} takes them
   * @param observer told the progress of what is read of the prompt
   * @throws IllegalArgumentException if an id is outside the vocabulary, a border outside the
   *     prompt, or an option does not fit the model
   */
  public Generation start(
      int[] prompt, int[] borders, GenerationOptions options, ForwardObserver observer) {
    return new Generation(model, session, prompt, borders, options, observer);
  }
}
