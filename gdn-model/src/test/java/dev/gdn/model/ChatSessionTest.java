package dev.gdn.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gdn.model.chat.ChatTemplate;
import dev.gdn.model.chat.Message;
import dev.gdn.model.chat.OutputEvent;
import dev.gdn.model.chat.ToolDefinition;
import dev.gdn.model.error.ContextFullException;
import dev.gdn.model.error.SessionFileException;
import dev.gdn.model.generation.FinishReason;
import dev.gdn.model.generation.GenerationOptions;
import dev.gdn.model.generation.TokenCounts;
import dev.gdn.model.gguf.FileType;
import dev.gdn.model.observer.ForwardObserver;
import dev.gdn.model.synth.TinyCheckpoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class ChatSessionTest {
  @TempDir private static Path folder;
  private static Path checkpoint;
  private static TinyChat tiny;
  private static LanguageModel model;
  private static ChatSettings settings;

  @BeforeAll
  static void open() throws IOException {
    checkpoint = TinyChat.write(folder);
    tiny = TinyChat.open(checkpoint);
    model = tiny.model();
    settings = tiny.settings();
  }

  @AfterAll
  static void close() {
    model.close();
  }

  private static ChatSession chat(ChatTemplate template) {
    return tiny.session(template);
  }

  @Test
  void theNextTurnReadsWhatIsNewAlone() throws IOException {
    for (ChatTemplate template :
        List.of(ChatTemplate.plain(), TinyChat.template("Qwen3-Coder.jinja"))) {
      ChatSession chat = chat(template);
      ChatReply first = chat.send("A <|im_end|> there");
      assertEquals(0, first.result().counts().reused());
      int held = chat.heldTokens();
      assertEquals(first.result().counts().prompt() + 11, held);
      ChatReply second = chat.send("and more");
      TokenCounts counts = second.result().counts();
      assertEquals(held, counts.reused());
      assertTrue(counts.prompt() - held < 40, counts.toString());
      assertEquals(counts.prompt() + 11, chat.heldTokens());
      assertEquals(4, chat.history().size());
      assertEquals(second.message(), chat.history().getLast());
    }
  }

  /** The tokens of a continued conversation, taken by a session of their own. */
  @Test
  void aContinuedTurnAnswersAsASessionThatReadsItsTokens() {
    ChatSession chat = chat(ChatTemplate.plain());
    ChatReply first = chat.send("hello");
    ChatReply second = chat.send("and more");
    List<Integer> tokens = new ArrayList<>();
    IntStream.of(model.tokenizer().encode("hello")).forEach(tokens::add);
    tokens.addAll(first.result().tokens());
    IntStream.of(model.tokenizer().encode("\nand more")).forEach(tokens::add);
    int[] prompt = tokens.stream().mapToInt(Integer::intValue).toArray();
    assertEquals(
        second.result().tokens(),
        new TextGenerator(model, model.newSession())
            .generate(prompt, settings.generation(), event -> {})
            .tokens());
  }

  /** From before the answer whose thought the template has dropped. */
  @Test
  void conversationsThatAreRenderedAnewAreReadFromTheLastMessageThatIsTheSame() throws IOException {
    ChatSession chat = chat(TinyChat.template("Qwen3.5-4B.jinja"));
    ChatReply first = chat.send("hello");
    ChatReply second = chat.send("and more");
    int opening = model.tokenizer().encode("<|im_start|>assistant\n<think>\n", true).length;
    assertEquals(first.result().counts().prompt() - opening, second.result().counts().reused());
    ChatSession cold = chat(TinyChat.template("Qwen3.5-4B.jinja"));
    cold.restore(chat.history().subList(0, 2));
    assertEquals(second.message(), cold.send("and more").message());
  }

  @Test
  void aCallThatALimitCutsOffInItsMarkIsReported() throws IOException {
    ChatSession chat = chat(TinyChat.template("Qwen3-Coder.jinja"));
    GenerationOptions saying =
        GenerationOptions.greedy().withConstraint(model.jsonSchema("{\"const\": \"So <tool_c\"}"));
    chat.setSettings(ChatSettings.of(saying).withTools(new ToolDefinition("look", "", Map.of())));
    ChatReply whole = chat.send("hello");
    assertEquals("\"So <tool_c\"", whole.text());
    assertEquals(List.of(), whole.brokenCalls());
    chat.setSettings(
        chat.settings().withGeneration(saying.withMaxTokens(whole.result().tokens().size() - 1)));
    ChatReply cutOff = chat.send("hello");
    assertEquals(FinishReason.MAX_TOKENS, cutOff.result().finishReason());
    assertEquals("\"So", cutOff.text());
    assertTrue(cutOff.brokenCalls().getFirst().cutOff());
  }

  @Test
  void thoughtsAreToldFromAnswers() throws IOException {
    ChatSession chat = chat(TinyChat.template("Qwen3.5-4B.jinja"));
    chat.setSettings(
        settings.withThinking(true).withGeneration(settings.generation().withThinkingBudget(5)));
    StringBuilder thought = new StringBuilder();
    StringBuilder answer = new StringBuilder();
    ChatReply reply =
        chat.send(
            "hello",
            event -> {
              switch (event) {
                case OutputEvent.Reasoning more -> thought.append(more.text());
                case OutputEvent.Answer more -> answer.append(more.text());
                default -> throw new AssertionError(event);
              }
            });
    assertEquals(6, reply.result().counts().reasoning());
    assertEquals(reply.message().reasoning().orElseThrow(), thought.toString());
    assertEquals(reply.text(), answer.toString());
    assertFalse(answer.isEmpty() || thought.isEmpty());
    assertEquals(reply.result().text(), thought + "</think>" + answer);
  }

  @Test
  void undoAndRestoreChangeTheHistory() {
    ChatSession chat = chat(ChatTemplate.plain());
    assertFalse(chat.undo());
    ChatReply first = chat.send("hello");
    chat.send("one way");
    assertTrue(chat.undo());
    assertEquals(List.of(Message.user("hello"), first.message()), chat.history());
    chat.send("another way, and a longer one");
    assertTrue(chat.undo());
    ChatSession cold = chat(ChatTemplate.plain());
    cold.restore(chat.history());
    assertEquals(cold.send("one way").message(), chat.send("one way").message());
    chat.reset();
    assertEquals(List.of(), chat.history());
    assertEquals(first.message(), chat.send("hello").message());
  }

  @Test
  void anEditedMessageIsReadFromTheEndOfTheMessageBeforeIt() throws IOException {
    ChatSession chat = chat(TinyChat.template("Qwen3-Coder.jinja"));
    TokenCounts first = chat.send("first ".repeat(30)).result().counts();
    chat.send("a long message " + "of words ".repeat(20));
    chat.undo();
    TokenCounts edited = chat.send("another one " + "of words ".repeat(20)).result().counts();
    int end = model.tokenizer().encode("<|im_end|>\n", true).length;
    assertEquals(first.prompt() + first.generated() + end, edited.reused());
    // And the first one from the other conversation of the model.
    chat.reset();
    TokenCounts again = chat.send("first ".repeat(30)).result().counts();
    assertEquals(again.prompt(), again.reused());
  }

  @Test
  void aSavedConversationIsNotReadAgain() throws IOException {
    Path file = folder.resolve("chat.json");
    for (ChatTemplate template :
        List.of(ChatTemplate.plain(), TinyChat.template("Qwen3-Coder.jinja"))) {
      ChatSession chat = chat(template);
      chat.send("one and two");
      chat.save(file);
      int held = chat.heldTokens();
      ChatReply expected = chat.send("and three");
      try (LanguageModel same = LanguageModel.open(checkpoint)) {
        ChatSession loaded = new ChatSession(same, template, settings);
        loaded.load(file);
        assertEquals(chat.history().subList(0, 2), loaded.history());
        ChatReply reply = loaded.send("and three");
        assertEquals(held, reply.result().counts().reused());
        assertEquals(expected.message(), reply.message());
      }
    }
  }

  @Test
  void whatIsTakenBackIsNotSaved() throws IOException {
    Path file = folder.resolve("forgotten.json");
    ChatSession chat = chat(ChatTemplate.plain());
    chat.save(file);
    byte[] empty = Files.readAllBytes(ChatSession.stateFile(file));
    for (Runnable forget : List.<Runnable>of(chat::reset, chat::undo)) {
      chat.send("a secret");
      forget.run();
      chat.save(file);
      assertArrayEquals(empty, Files.readAllBytes(ChatSession.stateFile(file)));
    }
    chat.send("something else");
    chat.save(file);
    assertTrue(Files.size(ChatSession.stateFile(file)) > empty.length);
  }

  @Test
  void aStateThatIsNotTheModelsChangesNothing() throws IOException {
    Path file = folder.resolve("other.json");
    Path other = TinyCheckpoint.write(folder, TinyCheckpoint.CONFIG, FileType.BF16);
    try (LanguageModel another = LanguageModel.open(other)) {
      ChatSession chat = new ChatSession(another, ChatTemplate.plain(), settings);
      chat.send("something");
      chat.save(file);
    }
    ChatSession chat = chat(ChatTemplate.plain());
    ChatReply first = chat.send("hello");
    int held = chat.heldTokens();
    assertThrows(SessionFileException.class, () -> chat.load(file));
    Files.delete(ChatSession.stateFile(file));
    assertThrows(SessionFileException.class, () -> chat.load(file));
    Files.writeString(file, "[");
    assertThrows(IllegalArgumentException.class, () -> chat.load(file));
    assertThrows(NoSuchFileException.class, () -> chat.load(folder.resolve("none")));
    assertEquals(List.of(Message.user("hello"), first.message()), chat.history());
    assertEquals(held, chat.send("more").result().counts().reused());
  }

  @Test
  void aTurnThatFailsLeavesTheConversationAsItWas() {
    ChatSession chat = chat(ChatTemplate.plain());
    ChatReply first = chat.send("hello");
    assertThrows(ContextFullException.class, () -> chat.send("x".repeat(5000)));
    assertEquals(2, chat.history().size());
    assertThrows(IllegalArgumentException.class, () -> chat.start(List.of(), ForwardObserver.NONE));
    chat.reset();
    assertEquals(first.message(), chat.send("hello").message());
  }

  @Test
  void nullsAreNamedAndChangeNothing() {
    ChatSession chat = chat(ChatTemplate.plain());
    chat.send("listen");
    List<Message> before = chat.history();
    List<Message> withNull = Arrays.asList(Message.user("x"), null);
    Map<String, Executable> calls =
        Map.of(
            "messages", () -> chat.restore(null),
            "messages: expected no null", () -> chat.restore(withNull),
            "messages: expected no null among", () -> chat.start((Message) null),
            "messages: expected no null among them",
                () -> chat.start(withNull, ForwardObserver.NONE),
            "observer", () -> chat.start(List.of(Message.user("x")), null),
            "text", () -> chat.send(null),
            "listener", () -> chat.send("x", null));
    calls.forEach(
        (said, call) -> {
          String message = assertThrows(NullPointerException.class, call).getMessage();
          assertTrue(message.startsWith(said), message);
          assertEquals(before, chat.history());
        });
    chat.send("then speak");
  }

  @Test
  void aCancelledTurnKeepsWhatThereIs() {
    ChatSession chat = chat(ChatTemplate.plain());
    ChatTurn turn = chat.start(Message.user("hello"));
    assertThrows(IllegalStateException.class, () -> chat.send("too early"));
    assertThrows(IllegalStateException.class, turn::reply);
    turn.next();
    turn.cancel();
    chat.send("next");
    assertEquals(FinishReason.CANCELLED, turn.reply().result().finishReason());
    assertEquals(4, chat.history().size());
    assertEquals(turn.reply().message(), chat.history().get(1));
    try (Stream<OutputEvent> stream = chat.start(Message.user("again")).stream()) {
      assertEquals(1, stream.limit(1).toList().size());
    }
    chat.send("and on");
    assertEquals(8, chat.history().size());
  }

  @Test
  void withoutATemplateTheModelContinuesTheText() {
    ChatSession chat = ChatSession.open(model, settings);
    chat.restore(List.of(Message.system("A tale.")));
    ChatReply reply = chat.send("Once upon");
    assertEquals(
        model.tokenizer().encode("A tale.\nOnce upon").length, reply.result().counts().prompt());
  }
}
