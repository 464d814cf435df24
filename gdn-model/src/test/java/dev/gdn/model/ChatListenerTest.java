package dev.gdn.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gdn.model.chat.ChatTemplate;
import dev.gdn.model.chat.Message;
import dev.gdn.model.chat.OutputEvent;
import dev.gdn.model.chat.ToolDefinition;
import dev.gdn.model.generation.GenerationOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/**
 * What those who take a turn's events may do meanwhile, and what they leave of the conversation.
 */
@Timeout(120)
class ChatListenerTest {
  @TempDir private static Path folder;
  private static TinyChat tiny;

  @BeforeAll
  static void open() throws IOException {
    tiny = TinyChat.open(TinyChat.write(folder));
  }

  @AfterAll
  static void close() {
    tiny.model().close();
  }

  @Test
  void aListenerThatThrowsLeavesTheConversationAsItWas() throws IOException {
    Path file = folder.resolve("listened.json");
    for (ChatTemplate template :
        List.of(ChatTemplate.plain(), TinyChat.template("Qwen3-Coder.jinja"))) {
      ChatSession untouched = tiny.session(template);
      ChatReply first = untouched.send("listen");
      ChatReply second = untouched.send("then speak");
      for (int last : new int[] {0, 3, second.result().tokens().size() - 1}) {
        ChatSession chat = tiny.session(template);
        chat.send("listen");
        List<Message> before = chat.history();
        RuntimeException thrown = new RuntimeException("of the listener");
        int[] seen = {0};
        assertSame(
            thrown,
            assertThrows(
                RuntimeException.class,
                () ->
                    chat.send(
                        "then speak",
                        event -> {
                          if (seen[0]++ == last) {
                            throw thrown;
                          }
                        })));
        assertEquals(before, chat.history());
        assertTrue(chat.holdsTakenBack());
        chat.save(file);
        chat.load(file);
        assertEquals(second.message(), chat.send("then speak").message());
        assertTrue(chat.undo());
        assertTrue(chat.undo());
        assertEquals(first.message(), chat.send("listen").message());
        chat.reset();
        chat.restore(before);
        assertEquals(second.message(), chat.send("then speak").message());
      }
    }
  }

  @Test
  void aListenerThatUsesTheConversationEndsTheTurn() throws IOException {
    Path file = folder.resolve("within.json");
    ChatSession chat = tiny.session(ChatTemplate.plain());
    List<Executable> uses =
        List.of(
            () -> chat.send("within"),
            () -> chat.save(file),
            () -> chat.load(file),
            chat::undo,
            chat::reset);
    for (Executable use : uses) {
      String message =
          assertThrows(IllegalStateException.class, () -> chat.send("listen", event -> call(use)))
              .getMessage();
      assertTrue(message.startsWith("the last turn has not come to its end"), message);
      assertEquals(List.of(), chat.history());
    }
    // One that minds the refusal itself goes on.
    ChatReply reply =
        chat.send("listen", event -> assertThrows(IllegalStateException.class, chat::reset));
    assertEquals(List.of(Message.user("listen"), reply.message()), chat.history());
  }

  /** Answers {@code <<<}, of which the last one is held back until the answer has ended. */
  private static ChatSession chatThatHoldsBack() throws IOException {
    int mark = tiny.model().tokenizer().encode("<")[0];
    ChatSession chat = tiny.session(TinyChat.template("Qwen3-Coder.jinja"));
    chat.setSettings(
        ChatSettings.of(
                GenerationOptions.greedy().withMaxTokens(3).withLogitBias(Map.of(mark, 1000f)))
            .withTools(new ToolDefinition("look", "", Map.of())));
    return chat;
  }

  @Test
  void theTurnGoesOnUntilTheListenerHasHadWhatWasHeldBack() throws IOException {
    ChatSession chat = chatThatHoldsBack();
    chat.send("listen");
    List<Message> before = chat.history();
    List<Message> others = List.of(Message.user("a"), Message.user("b"), Message.user("c"));
    List<Executable> uses =
        List.of(
            () -> chat.send("within"),
            () -> chat.start(Message.user("within")),
            () -> chat.restore(others),
            chat::undo,
            chat::reset);
    for (Executable use : uses) {
      // One that lets the refusal out, one that throws its own, and one that goes on.
      String message =
          assertThrows(
                  IllegalStateException.class,
                  () -> chat.send("then speak", atTheLast(() -> call(use))))
              .getMessage();
      assertTrue(message.startsWith("the last turn has not come to its end"), message);
      assertEquals(before, chat.history());
      RuntimeException thrown = new RuntimeException("of the listener");
      Runnable refusedAndThrows =
          () -> {
            assertThrows(IllegalStateException.class, use);
            throw thrown;
          };
      assertSame(
          thrown,
          assertThrows(
              RuntimeException.class, () -> chat.send("then speak", atTheLast(refusedAndThrows))));
      assertEquals(before, chat.history());
      Runnable refused = () -> assertThrows(IllegalStateException.class, use);
      ChatReply reply = chat.send("then speak", atTheLast(refused));
      assertEquals("<<<", reply.text());
      assertEquals(4, chat.history().size());
      assertEquals(reply.message(), chat.history().getLast());
      assertTrue(chat.undo());
    }
  }

  private static Consumer<OutputEvent> atTheLast(Runnable action) {
    StringBuilder answer = new StringBuilder();
    return event -> {
      if (answer.append(((OutputEvent.Answer) event).text()).length() == 3) {
        action.run();
      }
    };
  }

  @Test
  void aTurnEndsWhenItHasSaidThatNoEventIsLeft() throws IOException {
    ChatSession chat = chatThatHoldsBack();
    for (Predicate<ChatTurn> ends :
        List.<Predicate<ChatTurn>>of(turn -> !turn.hasNext(), ChatTurn::hasEnded)) {
      ChatTurn turn = chat.start(Message.user("hello"));
      for (int length = 0; length < 3; ) {
        length += ((OutputEvent.Answer) turn.next()).text().length();
      }
      assertThrows(IllegalStateException.class, turn::reply);
      assertThrows(IllegalStateException.class, chat::undo);
      assertTrue(ends.test(turn));
      assertThrows(NoSuchElementException.class, turn::next);
      assertEquals(List.of(Message.user("hello"), turn.reply().message()), chat.history());
      assertTrue(chat.undo());
    }
    ChatTurn cancelled = chat.start(Message.user("hello"));
    cancelled.next();
    cancelled.next();
    cancelled.cancel();
    assertTrue(chat.undo());
    assertTrue(cancelled.hasEnded());
    assertEquals(List.of(), chat.history());
  }

  private static void call(Executable use) {
    try {
      use.execute();
    } catch (RuntimeException e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }
}
