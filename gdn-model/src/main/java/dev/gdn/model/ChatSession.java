package dev.gdn.model;

import dev.gdn.model.chat.ChatPrompt;
import dev.gdn.model.chat.ChatTemplate;
import dev.gdn.model.chat.Message;
import dev.gdn.model.chat.OutputEvent;
import dev.gdn.model.chat.OutputParser;
import dev.gdn.model.observer.ForwardObserver;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A conversation in messages: those of the user or of tools go in, the model's replies come out,
 * and the history is kept. The next turn continues where the model's {@link Session} stands, so
 * that only what is new is read; where the template renders earlier turns differently than they
 * were read, as those do that drop old thoughts, the conversation is read again. {@link
 * dev.gdn.model.generation.TokenCounts} of each reply say how much was reused.
 *
 * <p>Used by one thread at a time, and one turn at a time.
 */
public final class ChatSession {
  private final LanguageModel model;
  private final ChatTemplate template;
  private final Session session;
  private final List<Message> history = new ArrayList<>();
  private ChatSettings settings;
  private Optional<ChatTurn> running = Optional.empty();
  private int[] heldIds = {};
  private Optional<ChatPrompt.HeldText> heldText = Optional.empty();

  /**
   * An empty conversation.
   *
   * @param template turns messages into a prompt
   */
  public ChatSession(LanguageModel model, ChatTemplate template, ChatSettings settings) {
    this.model = Objects.requireNonNull(model, "model");
    this.template = Objects.requireNonNull(template, "template");
    this.settings = Objects.requireNonNull(settings, "settings");
    session = model.newSession();
  }

  /**
   * An empty conversation, with the checkpoint's template and suggested options; without a template
   * the model {@linkplain ChatTemplate#plain() continues} what the user writes.
   */
  public static ChatSession open(LanguageModel model) {
    return open(model, ChatSettings.of(model.defaultOptions()));
  }

  /** An empty conversation, with the checkpoint's template or, without one, plain text. */
  public static ChatSession open(LanguageModel model, ChatSettings settings) {
    return new ChatSession(model, model.chatTemplate().orElseGet(ChatTemplate::plain), settings);
  }

  /** How it answers. */
  public ChatSettings settings() {
    return settings;
  }

  /** Answers in another way from the next turn on. */
  public void setSettings(ChatSettings settings) {
    this.settings = Objects.requireNonNull(settings, "settings");
  }

  /** All messages so far, the model's included. */
  public List<Message> history() {
    return List.copyOf(history);
  }

  /** Tokens that the model's session holds. */
  public int heldTokens() {
    return session.position();
  }

  /** Sends what the user says and waits for the reply. */
  public ChatReply send(String text) {
    return send(text, event -> {});
  }

  /** Sends what the user says; hands over the reply as it comes, on this thread. */
  public ChatReply send(String text, Consumer<? super OutputEvent> listener) {
    ChatTurn turn = start(Message.user(text));
    turn.forEachRemaining(listener);
    return turn.reply();
  }

  /**
   * Sends messages, for example the results of tools.
   *
   * @see #start(List, ForwardObserver)
   */
  public ChatTurn start(Message... messages) {
    return start(List.of(messages), ForwardObserver.NONE);
  }

  /**
   * Sends messages and prepares the reply, which is computed as its events are asked for. The
   * history has the messages at once, and the reply at its end; a turn that fails leaves neither.
   *
   * @param messages at least one
   * @param observer told the progress of what is to be read
   * @throws dev.gdn.model.error.TemplateException if the template refuses the conversation
   * @throws IllegalArgumentException if there are no messages, or the options do not fit the model
   * @throws IllegalStateException if an earlier turn has not come to its end and is not cancelled
   */
  public ChatTurn start(List<? extends Message> messages, ForwardObserver observer) {
    requireIdle();
    if (messages.isEmpty()) {
      throw new IllegalArgumentException("messages: expected at least one, found none");
    }
    List<Message> conversation = new ArrayList<>(history);
    conversation.addAll(messages);
    ChatPrompt prompt =
        template.prompt(model.tokenizer(), conversation, settings.tools(), settings.template());
    int[] ids = continuing(prompt);
    int held = heldIds.length;
    Generation generation =
        new Generation(model, session, ids, held, settings.generation(), observer);
    int before = history.size();
    ChatTurn turn =
        new ChatTurn(
            generation,
            new OutputParser(settings.tools(), prompt.opensThought()),
            (reply, generated) -> finish(prompt, ids, reply, generated),
            () -> fail(before));
    history.addAll(messages);
    running = Optional.of(turn);
    return turn;
  }

  /** Takes back the last message of the user and all that came after it; false if there is none. */
  public boolean undo() {
    requireIdle();
    for (int i = history.size() - 1; i >= 0; i--) {
      if (history.get(i) instanceof Message.User) {
        history.subList(i, history.size()).clear();
        return true;
      }
    }
    return false;
  }

  /** Begins anew: forgets all messages. */
  public void reset() {
    restore(List.of());
  }

  /** Goes on from these messages instead of its own. */
  public void restore(List<? extends Message> messages) {
    requireIdle();
    history.clear();
    history.addAll(messages);
  }

  private void requireIdle() {
    running.filter(ChatTurn::isCancelled).ifPresent(ChatTurn::takeRest);
    if (running.isPresent()) {
      throw new IllegalStateException(
          "the last turn has not come to its end: take its events or cancel it first");
    }
  }

  // The prompt's ids, of which the session then holds the first heldIds.length.
  private int[] continuing(ChatPrompt prompt) {
    if (heldText.isPresent() && prompt.extendsText(heldText.get())) {
      int[] rest = prompt.idsAfter(heldText.get());
      int[] ids = Arrays.copyOf(heldIds, heldIds.length + rest.length);
      System.arraycopy(rest, 0, ids, heldIds.length, rest.length);
      return ids;
    }
    int[] ids = prompt.ids();
    int common = Arrays.mismatch(heldIds, ids);
    if (common != heldIds.length) {
      forget();
    }
    return ids;
  }

  private void finish(ChatPrompt prompt, int[] ids, ChatReply reply, int[] generated) {
    history.add(reply.message());
    int taken = session.position();
    heldIds = Arrays.copyOf(ids, Math.max(ids.length, taken));
    if (taken > ids.length) {
      System.arraycopy(generated, 0, heldIds, ids.length, taken - ids.length);
    }
    heldIds = Arrays.copyOf(heldIds, taken);
    heldText =
        taken < ids.length
            ? Optional.empty() // cancelled within the prompt
            : Optional.of(prompt.followedBy(Arrays.copyOf(generated, taken - ids.length)));
    running = Optional.empty();
  }

  private void fail(int before) {
    history.subList(before, history.size()).clear();
    forget();
    running = Optional.empty();
  }

  private void forget() {
    session.clear();
    heldIds = new int[0];
    heldText = Optional.empty();
  }
}
