package dev.gdn.model;

import dev.gdn.model.generation.Constraint;
import dev.gdn.model.generation.FinishReason;
import dev.gdn.model.generation.GenerationEvent;
import dev.gdn.model.generation.GenerationOptions;
import dev.gdn.model.generation.GenerationResult;
import dev.gdn.model.generation.LogProbabilities;
import dev.gdn.model.generation.Sampler;
import dev.gdn.model.generation.Timings;
import dev.gdn.model.generation.TokenCounts;
import dev.gdn.model.observer.ForwardObserver;
import dev.gdn.model.tokenizer.StreamingDecoder;
import dev.gdn.model.tokenizer.Tokenizer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;

/**
 * One generation, a step for each event: the prompt and the first token, further tokens, and at the
 * end the result. Cancelling it, or interrupting the thread that takes the events, ends it at the
 * next token, or within a prompt where the session can stop; the session can then be used on. Of
 * the prompt only what {@link Session#read} has not read before is read. At the end the session has
 * taken the prompt and the generated tokens; without the last one where that ended it, for nothing
 * has followed that yet.
 */
public final class Generation implements EventIterator<GenerationEvent> {
  private final Session session;
  private final int[] prompt;
  private final int[] borders;
  private final GenerationOptions options;
  private final PromptObserver observer;
  private final Sampler sampler;
  private final Tokenizer tokenizer;
  private final StreamingDecoder decoder;
  private final StopStringFilter stopStrings;
  private final ThoughtTracker thought;
  private final Optional<Constraint.Matcher> matcher;
  private final int[] stopIds;
  private final List<Integer> tokens = new ArrayList<>();
  private final List<LogProbabilities> logProbabilities = new ArrayList<>();
  private final StringBuilder text = new StringBuilder();
  private volatile boolean cancelled;
  private boolean ended;
  private float[] logits; // that follow the prompt and all tokens but the last, if that is pending
  private boolean pending; // whether the session has yet to take the last token
  private long prefillNanos;
  private long decodeNanos;

  Generation(
      LanguageModel model,
      Session session,
      int[] prompt,
      int[] borders,
      GenerationOptions options,
      ForwardObserver observer) {
    this.session = session;
    this.prompt = Objects.requireNonNull(prompt, "prompt").clone();
    this.borders = Objects.requireNonNull(borders, "borders").clone();
    this.options = Objects.requireNonNull(options, "options");
    this.observer =
        new PromptObserver(Objects.requireNonNull(observer, "observer"), () -> cancelled);
    tokenizer = model.tokenizer();
    decoder = new StreamingDecoder(tokenizer);
    stopStrings = new StopStringFilter(options.stopStrings());
    thought = new ThoughtTracker(tokenizer, prompt);
    matcher = options.constraint().map(Constraint::begin);
    stopIds =
        model.generationConfig().endTokens().stream()
            .mapToInt(Integer::intValue)
            .distinct()
            .toArray();
    sampler = new Sampler(options.sampling());
    check(model.config().vocabularySize());
  }

  private void check(int vocabulary) {
    for (int border : borders) {
      if (border < 0 || border > prompt.length) {
        throw new IllegalArgumentException(
            "borders: expected positions from 0 to %d, found %d".formatted(prompt.length, border));
      }
    }
    for (int id : prompt) {
      if (id < 0 || id >= vocabulary) {
        throw new IllegalArgumentException(
            "prompt: expected ids from 0 to %d, found %d".formatted(vocabulary - 1, id));
      }
    }
    for (int id : options.sampling().logitBias().keySet()) {
      if (id >= vocabulary) {
        throw new IllegalArgumentException(
            "logit bias: expected ids from 0 to %d, found %d".formatted(vocabulary - 1, id));
      }
    }
    if (options.thinkingBudget().isPresent() && thought.end().isEmpty()) {
      throw new IllegalArgumentException(
          "thinking budget: expected a tokenizer with the token </think>, found none");
    }
  }

  @Override
  public void cancel() {
    cancelled = true;
  }

  boolean isCancelled() {
    return cancelled;
  }

  @Override
  public boolean hasEnded() {
    return ended;
  }

  @Override
  public boolean hasNext() {
    return !ended;
  }

  /**
   * Computes the next event.
   *
   * @throws IllegalArgumentException if the prompt is empty
   * @throws dev.gdn.model.error.ContextFullException if the prompt does not fit the context
   * @throws IllegalStateException if the model is closed, or something else was done with the
   *     session since the last event
   * @throws NoSuchElementException after the end, or after a failure
   */
  @Override
  public GenerationEvent next() {
    if (ended) {
      throw new NoSuchElementException("the generation has ended");
    }
    ended = true; // unless the step succeeds
    GenerationEvent event = logits == null ? first() : further();
    ended = event instanceof GenerationEvent.Finished;
    return event;
  }

  private GenerationEvent first() {
    long start = System.nanoTime();
    try {
      logits = session.read(prompt, borders, observer).logits();
    } catch (CancellationException e) {
      long now = System.nanoTime();
      prefillNanos = now - start;
      return finish(FinishReason.CANCELLED, now);
    }
    sampler.see(prompt);
    prefillNanos = System.nanoTime() - start;
    return further();
  }

  private GenerationEvent further() {
    long start = System.nanoTime();
    Optional<FinishReason> reason = reasonToEnd();
    if (reason.isPresent()) {
      return finish(reason.get(), start);
    }
    if (pending) {
      checkUndisturbed();
      logits = session.decode(tokens.getLast());
      pending = false;
    }
    int id = choose();
    if (isStop(id)) {
      return finish(FinishReason.STOP_TOKEN, start);
    }
    GenerationEvent event = token(id);
    decodeNanos += System.nanoTime() - start;
    return event;
  }

  // Such as by a listener between two events.
  private void checkUndisturbed() {
    int expected = prompt.length + tokens.size() - 1;
    if (session.position() != expected) {
      throw new IllegalStateException(
          "the session was used while it generates: expected position %d, found %d"
              .formatted(expected, session.position()));
    }
    if (!session.holds(prompt, tokens)) {
      throw new IllegalStateException(
          "the session was used while it generates: at position %d, it holds other tokens"
              .formatted(expected));
    }
  }

  private Optional<FinishReason> reasonToEnd() {
    if (stopStrings.found().isPresent()) {
      return Optional.of(FinishReason.STOP_STRING);
    }
    if (!thought.isWithin() && matcher.isPresent() && matcher.get().isExhausted()) {
      return Optional.of(FinishReason.CONSTRAINT_MET);
    }
    if (tokens.size() == options.maxTokens()) {
      return Optional.of(FinishReason.MAX_TOKENS);
    }
    if (cancelled || Thread.interrupted()) {
      return Optional.of(FinishReason.CANCELLED);
    }
    return pending && session.remaining() == 0
        ? Optional.of(FinishReason.CONTEXT_FULL)
        : Optional.empty();
  }

  private int choose() {
    if (thought.isWithin()) {
      boolean spent =
          options.thinkingBudget().isPresent()
              && thought.tokens() >= options.thinkingBudget().getAsInt();
      int id = spent ? thought.end().getAsInt() : sampler.sample(logits);
      // A model that would end here still owes what the constraint asks for.
      return matcher.isPresent() && isStop(id) ? thought.end().getAsInt() : id;
    }
    if (matcher.isEmpty()) {
      return sampler.sample(logits);
    }
    Constraint.Matcher m = matcher.get();
    return m.isComplete()
        ? sampler.sample(logits, m.allowed(), stopIds)
        : sampler.sample(logits, m.allowed());
  }

  private boolean isStop(int id) {
    for (int stop : stopIds) {
      if (stop == id) {
        return true;
      }
    }
    return false;
  }

  private GenerationEvent token(int id) {
    Optional<LogProbabilities> probabilities =
        options.logProbabilities().isPresent()
            ? Optional.of(LogProbabilities.of(logits, id, options.logProbabilities().getAsInt()))
            : Optional.empty();
    probabilities.ifPresent(logProbabilities::add);
    if (matcher.isPresent() && !thought.isWithin()) {
      matcher.get().accept(id);
    }
    thought.accept(id);
    sampler.accept(id);
    tokens.add(id);
    pending = true;
    // A model's matrices may be filled up with ids that no token has: those have no text.
    String piece = id < tokenizer.vocabularySize() ? decoder.accept(id) : "";
    return new GenerationEvent.Token(id, emit(stopStrings.accept(piece)), probabilities);
  }

  private String emit(String certain) {
    text.append(certain);
    return certain;
  }

  private GenerationEvent finish(FinishReason reason, long start) {
    String rest = "";
    if (stopStrings.found().isEmpty()) {
      rest = emit(stopStrings.accept(decoder.finish()) + stopStrings.finish());
    }
    decodeNanos += System.nanoTime() - start;
    boolean stopped = stopStrings.found().isPresent();
    return new GenerationEvent.Finished(rest, result(stopped ? FinishReason.STOP_STRING : reason));
  }

  private GenerationResult result(FinishReason reason) {
    return new GenerationResult(
        text.toString(),
        tokens,
        reason,
        stopStrings.found(),
        new TokenCounts(prompt.length, reused(), tokens.size(), thought.tokens()),
        new Timings(Duration.ofNanos(prefillNanos), Duration.ofNanos(decodeNanos)),
        logProbabilities);
  }

  private int reused() {
    return prompt.length - observer.total().orElse(prompt.length);
  }
}
