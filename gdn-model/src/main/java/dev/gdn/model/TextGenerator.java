package dev.gdn.model;

import dev.gdn.model.generation.FinishReason;
import dev.gdn.model.generation.GenerationOptions;
import dev.gdn.model.generation.GenerationResult;
import dev.gdn.model.generation.Sampler;
import dev.gdn.model.generation.TokenListener;
import dev.gdn.model.observer.ForwardObserver;
import dev.gdn.model.tokenizer.StreamingDecoder;
import dev.gdn.model.tokenizer.Tokenizer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;

/**
 * The generation loop over one session: prompt in, tokens out until a stop id, the limit or the end
 * of the context. Used by one thread at a time. Interrupting the thread ends it at the next token,
 * or during a long prompt at the next block, with {@link FinishReason#CANCELLED}; the interrupt is
 * then consumed, and the session can be used on. At the end the session has taken the prompt and
 * the generated tokens; without the last one where the limit or the context ended it, for nothing
 * has followed that yet.
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
    this.model = model;
    this.session = session;
  }

  /**
   * Generates after a prompt.
   *
   * @see #generate(int[], GenerationOptions, TokenListener, ForwardObserver)
   */
  public GenerationResult generate(
      int[] prompt, GenerationOptions options, TokenListener listener) {
    return generate(prompt, options, listener, ForwardObserver.NONE);
  }

  /**
   * Generates after a prompt.
   *
   * @param prompt token ids, at least one
   * @param observer told the progress of the prompt
   * @throws IllegalArgumentException if the prompt is empty or an id is outside the vocabulary
   * @throws dev.gdn.model.error.ContextFullException if the prompt does not fit the context
   */
  public GenerationResult generate(
      int[] prompt, GenerationOptions options, TokenListener listener, ForwardObserver observer) {
    Sampler sampler = new Sampler(options);
    Tokenizer tokenizer = model.tokenizer();
    StreamingDecoder decoder = new StreamingDecoder(tokenizer);
    Set<Integer> stopIds = Set.copyOf(model.generationConfig().endTokens());
    List<Integer> tokens = new ArrayList<>();
    StringBuilder text = new StringBuilder();
    long start = System.nanoTime();
    float[] logits;
    try {
      logits = session.prefill(prompt, observer);
    } catch (CancellationException e) {
      Duration spent = Duration.ofNanos(System.nanoTime() - start);
      return new GenerationResult(
          "", tokens, FinishReason.CANCELLED, prompt.length, spent, Duration.ZERO);
    }
    long prefilled = System.nanoTime();
    FinishReason reason = FinishReason.MAX_TOKENS;
    while (tokens.size() < options.maxTokens()) {
      if (Thread.interrupted()) {
        reason = FinishReason.CANCELLED;
        break;
      }
      int id = sampler.sample(logits);
      if (stopIds.contains(id)) {
        reason = FinishReason.STOP_TOKEN;
        break;
      }
      tokens.add(id);
      // A model's matrices may be filled up with ids that no token has: those have no text.
      String piece = id < tokenizer.vocabularySize() ? decoder.accept(id) : "";
      text.append(piece);
      listener.onToken(id, piece);
      if (tokens.size() == options.maxTokens()) {
        break;
      }
      if (session.remaining() == 0) {
        reason = FinishReason.CONTEXT_FULL;
        break;
      }
      logits = session.decode(id);
    }
    String rest = decoder.finish();
    if (!rest.isEmpty()) {
      text.append(rest);
      listener.onToken(tokens.getLast(), rest);
    }
    return new GenerationResult(
        text.toString(),
        tokens,
        reason,
        prompt.length,
        Duration.ofNanos(prefilled - start),
        Duration.ofNanos(System.nanoTime() - prefilled));
  }
}
