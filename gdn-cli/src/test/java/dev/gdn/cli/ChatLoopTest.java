package dev.gdn.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gdn.demo.DemoModel;
import dev.gdn.model.ChatSession;
import dev.gdn.model.ChatSettings;
import dev.gdn.model.LanguageModel;
import dev.gdn.model.ModelOptions;
import dev.gdn.model.generation.GenerationOptions;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChatLoopTest {
  private static LanguageModel model;

  @TempDir Path folder;

  @BeforeAll
  static void open() {
    model = LanguageModel.open(DemoModel.extract(), ModelOptions.defaults().withContext(300));
  }

  @AfterAll
  static void close() {
    model.close();
  }

  /** Lines that are given, and what is shown. */
  private static final class Script implements ChatInput {
    private final Deque<String> lines;
    private final StringBuilder answers = new StringBuilder();
    private final StringBuilder notes = new StringBuilder();
    private boolean stopsAtOnce;

    Script(String... lines) {
      this.lines = new ArrayDeque<>(List.of(lines));
    }

    @Override
    public Optional<String> readLine() {
      return Optional.ofNullable(lines.poll());
    }

    @Override
    public void print(String text) {
      answers.append(text);
    }

    @Override
    public void note(String text) {
      notes.append(text).append('\n');
    }

    @Override
    public boolean isAbandoned() {
      return false;
    }

    @Override
    public void interruptibly(Runnable action, Runnable stop) {
      if (stopsAtOnce) {
        stop.run();
      }
      action.run();
    }

    @Override
    public void close() {}
  }

  private static Script run(ChatSession chat, Script script) {
    new ChatLoop(chat, Optional.empty(), script, DemoModel.extract()).run();
    return script;
  }

  private static ChatSession chat() {
    return ChatSession.open(model, ChatSettings.of(GenerationOptions.greedy().withMaxTokens(8)));
  }

  @Test
  void linesAreAnsweredAndCommandsObeyed() {
    ChatSession chat = chat();
    Script script =
        run(chat, new Script("Once upon a time", "", "There was", "/undo", "/stats", "/help"));
    String first =
        model
            .generate("Once upon a time", GenerationOptions.greedy().withMaxTokens(8), t -> {})
            .text();
    assertTrue(script.answers.toString().startsWith(first + "\n"), script.answers.toString());
    assertEquals(2, chat.history().size());
    assertTrue(script.notes.toString().contains("reused"), script.notes.toString());
    assertTrue(script.notes.toString().contains("2 messages"), script.notes.toString());
    assertTrue(script.notes.toString().contains("/load FILE"), script.notes.toString());
  }

  @Test
  void conversationsAreSavedAndLoaded() throws IOException {
    Path file = folder.resolve("chat with a space.json");
    ChatSession chat = chat();
    run(chat, new Script("Once upon a time", "/save " + file, "/reset"));
    assertEquals(0, chat.history().size());
    int held = chat.heldTokens();
    try (LanguageModel same = LanguageModel.open(DemoModel.extract())) {
      ChatSession other =
          ChatSession.open(same, ChatSettings.of(GenerationOptions.greedy().withMaxTokens(8)));
      Script script = run(other, new Script("/load " + file, "There was", "/stats"));
      assertEquals(4, other.history().size());
      String notes = script.notes.toString();
      assertTrue(notes.contains("a state of %d tokens".formatted(held)), notes);
      assertTrue(notes.contains("(%d reused)".formatted(held)), notes);
    }
    assertTrue(Files.readString(file).contains("Once upon a time"));
  }

  @Test
  void messagesWithoutTheirStateAreReadAgain() throws IOException {
    Path file = folder.resolve("chat.json");
    ChatSession chat = chat();
    run(chat, new Script("Once upon a time", "/save " + file));
    byte[] state = Files.readAllBytes(ChatSession.stateFile(file));
    state[20] ^= 1; // of the model's identity
    Files.write(ChatSession.stateFile(file), state);
    ChatSession other = chat();
    Script script = run(other, new Script("/load " + file, "There was"));
    assertTrue(script.notes.toString().contains("another model"), script.notes.toString());
    assertEquals(1, script.notes.toString().lines().count());
    assertEquals(4, other.history().size());
  }

  @Test
  void problemsAreNotesAndTheChatGoesOn() throws IOException {
    Path broken = Files.writeString(folder.resolve("broken.json"), "[{\"role\": \"king\"}]");
    ChatSession chat = chat();
    Script script =
        run(
            chat,
            new Script(
                "/load " + folder.resolve("none"),
                "/load " + broken,
                "/load",
                "/save " + folder.resolve("no/where"),
                "/nonsense",
                "/undo",
                "word ".repeat(400),
                "//begins with a slash"));
    String notes = script.notes.toString();
    assertEquals(7, notes.lines().count(), notes);
    assertTrue(notes.contains("found \"king\""), notes);
    assertTrue(notes.contains("unknown: /nonsense"), notes);
    assertEquals(2, chat.history().size());
    assertTrue(chat.history().getFirst().toString().contains("/begins"));
    assertFalse(chat.history().getFirst().toString().contains("//begins"));
  }

  @Test
  void whatIsNoFileIsRefusedAndTheChatGoesOn() throws IOException, InterruptedException {
    Path pipe = folder.resolve("pipe");
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
    Path dangling = Files.createSymbolicLink(folder.resolve("link"), folder.resolve("none"));
    Path huge = folder.resolve("huge.json");
    try (RandomAccessFile sparse = new RandomAccessFile(huge.toFile(), "rw")) {
      sparse.setLength(1L << 40);
    }
    Path chatFile = folder.resolve("chat.json");
    Files.createDirectory(ChatSession.stateFile(chatFile));
    ChatSession chat = chat();
    Script script =
        run(
            chat,
            new Script(
                "/save " + pipe,
                "/save " + dangling,
                "/save " + chatFile,
                "/load " + pipe,
                "/load /dev/zero",
                "/load " + huge,
                "/load " + folder,
                "Once"));
    String other = "found a device, a pipe or a socket";
    List<String> notes = script.notes.toString().lines().toList();
    assertEquals(7, notes.size(), script.notes.toString());
    assertSaid(notes.get(0), pipe + ": cannot be written", other);
    assertSaid(
        notes.get(1), dangling + ": cannot be written", "a symbolic link that leads nowhere");
    assertSaid(notes.get(2), chatFile + ".state: cannot be written", "found a folder");
    assertSaid(notes.get(3), pipe + ": cannot be read", other);
    assertSaid(notes.get(4), "/dev/zero: cannot be read", other);
    assertSaid(
        notes.get(5), huge + ": cannot be read", "at most 16777216 bytes, found 1099511627776");
    assertSaid(notes.get(6), folder + ": cannot be read", "found a folder");
    assertEquals(2, chat.history().size());
  }

  private static void assertSaid(String note, String start, String end) {
    assertTrue(note.startsWith(start), note);
    assertTrue(note.contains(end), note);
  }

  @Test
  void tokensOfAnEarlierConversationAreToldApart() throws IOException {
    Path file = folder.resolve("chat.json");
    Files.writeString(file, "[{\"role\": \"user\", \"content\": \"Hi\"}]");
    Path empty = Files.writeString(folder.resolve("empty.json"), "[]");
    ChatSession chat = chat();
    Script script =
        run(chat, new Script("Once", "/load " + empty, "/stats", "/load " + file, "/stats"));
    String held = Message.count(chat.heldTokens(), "token") + " held";
    List<String> notes = script.notes.toString().lines().toList();
    assertEquals(empty + ": expected messages, found an empty list", notes.get(0));
    assertEquals("2 messages, " + held, notes.get(2));
    assertEquals("1 message, " + held + " of what was before", notes.get(5));
  }

  @Test
  void nothingStandsBehindCommandsThatTakeNothing() {
    ChatSession chat = chat();
    Script script =
        run(
            chat,
            new Script(
                "Once", "/reset now", "/undo 2", "/stats all", "/help me", "/exit soon", "Up"));
    assertEquals(4, chat.history().size());
    assertEquals(5, script.notes.toString().lines().count(), script.notes.toString());
    assertTrue(
        script.notes.toString().startsWith("/reset: expected nothing behind it, found now\n"),
        script.notes.toString());
  }

  @Test
  void oneMessageIsNoPlural() {
    ChatSession chat = chat();
    Script script = new Script("/stats");
    new ChatLoop(chat, Optional.of("Be brief."), script, DemoModel.extract()).run();
    assertTrue(
        script.notes.toString().contains("1 message, 0 tokens held"), script.notes::toString);
  }

  @Test
  void stoppingAnAnswerKeepsTheChat() {
    ChatSession chat = chat();
    Script script = new Script("Once upon a time");
    script.stopsAtOnce = true;
    run(chat, script);
    assertEquals("\n", script.answers.toString());
    script.stopsAtOnce = false;
    script.lines.add("Once more");
    run(chat, script);
    assertTrue(script.answers.length() > 10, script.answers.toString());
  }

  @Test
  void exitEndsIt() {
    Script script = run(chat(), new Script("/exit", "not read"));
    assertEquals(List.of("not read"), List.copyOf(script.lines));
  }

  @Test
  void noFileOfTheModelIsSavedOver() throws IOException {
    Path config = DemoModel.extract().resolve("config.json");
    String before = Files.readString(config);
    Path link = Files.createSymbolicLink(folder.resolve("chat.json.state"), config);
    Script script = run(chat(), new Script("/save " + config, "/save " + folder + "/chat.json"));
    String refused = "/save: expected another place than --model, found ";
    assertEquals(
        List.of(refused + config, refused + link), script.notes.toString().lines().toList());
    assertEquals(before, Files.readString(config));
    assertFalse(Files.exists(folder.resolve("chat.json")));
  }
}
