package dev.gdn.model;

import dev.gdn.model.chat.ChatPrompt;
import dev.gdn.model.chat.ChatTemplate;
import dev.gdn.model.chat.EncodedPrompt;
import dev.gdn.model.chat.Message;
import dev.gdn.model.chat.OutputEvent;
import dev.gdn.model.chat.OutputParser;
import dev.gdn.model.chat.SpokenTokens;
import dev.gdn.model.chat.Transcript;
import dev.gdn.model.observer.ForwardObserver;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A conversation in messages: those of the user or of tools go in, the model's replies come out,
 * and the history is kept. A turn reads only what the model has not read before: it continues where
 * the {@link Session} stands, or from the last message that has not changed, also where earlier
 * turns were taken back or the template renders them differently than they were read, as those do
 * that drop old thoughts. {@link dev.gdn.model.generation.TokenCounts} of each reply say how much
 * was reused.
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
  private SpokenTokens spoken = SpokenTokens.NONE;
  // Whether the model's session holds what was taken back.
  private boolean holdsOld;

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

  /**
   * Whether these tokens are still those of messages that were taken back or replaced. The next
   * turn keeps of them what it begins with.
   */
  public boolean holdsTakenBack() {
    return holdsOld && heldTokens() > 0;
  }

  /** Sends what the user says and waits for the reply. */
  public ChatReply send(String text) {
    return send(text, event -> {});
  }

  /**
   * Sends what the user says; hands over the reply as it comes, on this thread. What the listener
   * throws ends the turn and comes out; the history is then as before, and the conversation can go
   * on. The listener cannot use the conversation itself, which has not come to the turn's end
   * before the listener has returned from the last event.
   */
  public ChatReply send(String text, Consumer<? super OutputEvent> listener) {
    Objects.requireNonNull(text, "text");
    Objects.requireNonNull(listener, "listener");
    ChatTurn turn = start(Message.user(text));
    try {
      turn.forEachRemaining(listener);
    } catch (Throwable failure) {
      turn.abandon();
      throw failure;
    }
    return turn.reply();
  }

  /**
   * Sends messages, for example the results of tools.
   *
   * @see #start(List, ForwardObserver)
   */
  public ChatTurn start(Message... messages) {
    return start(Arrays.asList(messages), ForwardObserver.NONE);
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
    requireEach(messages);
    Objects.requireNonNull(observer, "observer");
    requireIdle();
    if (messages.isEmpty()) {
      throw new IllegalArgumentException("messages: expected at least one, found none");
    }
    List<Message> conversation = new ArrayList<>(history);
    conversation.addAll(messages);
    ChatPrompt prompt =
        template.prompt(model.tokenizer(), conversation, settings.tools(), settings.template());
    EncodedPrompt encoded = prompt.encodeAfter(spoken);
    int[] borders = encoded.borders().stream().mapToInt(Integer::intValue).toArray();
    Generation generation =
        new Generation(model, session, encoded.ids(), borders, settings.generation(), observer);
    List<Message> before = history();
    int[] held = session.tokens();
    ChatTurn turn =
        new ChatTurn(
            generation,
            new OutputParser(settings.tools(), prompt.opensThought()),
            reply -> finish(encoded.ids(), reply),
            () -> fail(before, held));
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
        holdsOld = true;
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
    requireEach(messages);
    requireIdle();
    history.clear();
    history.addAll(messages);
    holdsOld = true;
  }

  /**
   * Writes the messages, as {@link Transcript} does, and beside them the model's state, to {@link
   * #stateFile}, so that a conversation that is {@linkplain #load loaded} is not read again. After
   * messages were taken back, there is no state to write until the next turn: what is forgotten
   * does not come into a file.
   *
   * @throws IOException if one of the files cannot be written
   * @throws IllegalArgumentException if an argument of a call is nothing that JSON has
   * @throws IllegalStateException if the last turn has not come to its end and is not cancelled
   */
  public void save(Path file) throws IOException {
    requireIdle();
    if (holdsOld) {
      session.clear();
      spoken = SpokenTokens.NONE;
      holdsOld = false;
    }
    Transcript.write(file, history);
    session.save(stateFile(file));
  }

  /**
   * Goes on from a saved conversation instead of its own.
   *
   * @throws IOException if there is no such file, or it cannot be read
   * @throws IllegalArgumentException if it holds no messages; the message says where
   * @throws dev.gdn.model.error.SessionFileException if the state is missing, damaged or of another
   *     model; {@linkplain #restore restoring} the messages alone is then what can be done. In all
   *     these cases the conversation is as it was
   * @throws IllegalStateException if the last turn has not come to its end and is not cancelled
   */
  public void load(Path file) throws IOException {
    requireIdle();
    List<Message> messages = Transcript.read(file);
    session.load(stateFile(file));
    spoken = SpokenTokens.of(session.tokens(), session.hasLogits());
    restore(messages);
    holdsOld = false;
  }

  /** Where the state lies that belongs to a file of messages: the same name with {@code .state}. */
  public static Path stateFile(Path file) {
    return file.resolveSibling(file.getFileName() + ".state");
  }

  private void requireIdle() {
    running.filter(ChatTurn::isCancelled).ifPresent(ChatTurn::takeRest);
    if (running.isPresent()) {
      throw new IllegalStateException(
          "the last turn has not come to its end: take its events or cancel it first");
    }
  }

  private static void requireEach(List<? extends Message> messages) {
    Objects.requireNonNull(messages, "messages");
    for (Message message : messages) {
      Objects.requireNonNull(message, "messages: expected no null among them");
    }
  }

  private void finish(int[] prompt, ChatReply reply) {
    int[] generated = reply.result().tokens().stream().mapToInt(Integer::intValue).toArray();
    spoken = spoken.next(prompt, generated);
    history.add(reply.message());
    holdsOld = false;
    running = Optional.empty();
  }

  // What the session has read of the turn is not the history's.
  private void fail(List<Message> before, int[] held) {
    history.clear();
    history.addAll(before);
    holdsOld |= !Arrays.equals(held, session.tokens());
    running = Optional.empty();
  }
}
