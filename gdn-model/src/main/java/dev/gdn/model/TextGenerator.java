package dev.gdn.model;

import dev.gdn.model.generation.FinishReason;
import dev.gdn.model.generation.GenerationEvent;
import dev.gdn.model.generation.GenerationOptions;
import dev.gdn.model.generation.GenerationResult;
import dev.gdn.model.observer.ForwardObserver;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Generates text with one session: prompt in, tokens out until a stop id, a stop string, the limit
 * or the end of the context. {@link #generate} calls back for every event; {@link #start} leaves
 * the pace to the caller, who takes the events one by one, as a stream or as a publisher, and may
 * cancel. Used by one thread at a time, and one generation at a time.
 */
public final class TextGenerator {
  private final LanguageModel model;
  private final Session session;

  /**
   * A generator that goes on where the session stands.
   *
   * @param session of {@code model}
   */
  public TextGenerator(LanguageModel model, Session session) {
    this.model = Objects.requireNonNull(model, "model");
    this.session = Objects.requireNonNull(session, "session");
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
   * @param prompt token ids, at least one
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
    Generation generation = start(prompt, 0, options, observer);
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
   * @see #start(int[], int, GenerationOptions, ForwardObserver)
   */
  public Generation start(int[] prompt, GenerationOptions options) {
    return start(prompt, 0, options, ForwardObserver.NONE);
  }

  /**
   * A generation after a prompt that the session may have begun to take. Nothing is computed before
   * its first event is asked for.
   *
   * @param prompt token ids; more than {@code held}
   * @param held how many of them the session has taken already, as its last ones
   * @param observer told the progress of the rest of the prompt
   * @throws IllegalArgumentException if an id is outside the vocabulary, or an option does not fit
   *     the model
   */
  public Generation start(
      int[] prompt, int held, GenerationOptions options, ForwardObserver observer) {
    return new Generation(model, session, prompt, held, options, observer);
  }
}
