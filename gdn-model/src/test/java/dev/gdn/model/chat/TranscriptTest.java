package dev.gdn.model.chat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TranscriptTest {
  @TempDir Path folder;

  @Test
  void whatIsWrittenIsRead() throws IOException {
    List<Message> messages =
        List.of(
            Message.system("Be brief."),
            new Message.User(List.of(new ContentPart.Text("a\n\"b\""), new ContentPart.Text("日本"))),
            new Message.Assistant(
                "", Optional.of("hm"), List.of(new ToolCall("f", Map.of("n", 1, "s", "02134")))),
            new Message.Tool("done", Optional.of("f")),
            Message.assistant("fine"));
    Path file = folder.resolve("chat.json");
    Transcript.write(file, messages);
    assertEquals(messages, Transcript.read(file));
    Transcript.write(file, List.of());
    assertEquals(List.of(), Transcript.read(file));
  }

  @Test
  void otherFilesAreRefusedByTheirPlace() throws IOException {
    assertThrows(NoSuchFileException.class, () -> Transcript.read(folder.resolve("none")));
    assertRefused("", "expected JSON, found in line 1, column 0: No content");
    assertRefused("{}", "expected a list of objects, found an empty object");
    assertRefused("null", "expected a list of objects, found null");
    assertRefused("[1]", "entry 0: expected an object, found 1");
    assertRefused("[null]", "entry 0: expected an object, found null");
    assertRefused(
        "[{\"role\": \"user\", \"content\": \"a\"}, 5]", "entry 1: expected an object, found 5");
    assertRefused("[{\"content\": \"a\"}]", "entry 0: role: expected text, found none");
    assertRefused(
        "[{\"role\": \"king\"}]", "expected system, user, assistant or tool, found \"king\"");
    assertRefused(
        "[{\"role\": \"user\", \"content\": 3}]", "entry 0: content: expected text, found 3");
    assertRefused(
        "[{\"role\": \"user\", \"content\": [{\"type\": \"image\"}]}]", "parts of type text");
    assertRefused(
        "[{\"role\": \"assistant\", \"content\": \"\", \"tool_calls\": [{}]}]", "tool_calls");
    assertRefused("[".repeat(100_000), "nesting depth");
    assertRefused("[{\"role\": {\"a\": \"" + "b".repeat(100_000) + "\"}}]", "found an object");
    assertRefused("[{\"role\": \"" + "b".repeat(100_000) + "\"}]", "assistant or tool, found \"bb");
    assertTrue(refusal().length() < 1000, "long texts are shortened");
    Files.write(folder.resolve("file.json"), new byte[] {'[', (byte) 0xff, ']'});
    assertTrue(refusal().contains("UTF-8"), refusal());
  }

  @Test
  void valuesThatNothingTakesAreRefusedByTheirPlace() throws IOException {
    String problem = ": expected Unicode text, found half of a surrogate pair";
    assertRefused(
        "[{}, {\"role\": \"user\", \"content\": \"\\ud83d\"}]", "entry 1: content" + problem);
    assertRefused("[{\"a\": [0, {\"b\": \"\\ude00\\ud83d\"}]}]", "entry 0: a[1]: b" + problem);
    assertRefused("[{\"a\": 1e999}]", "entry 0: a: a number is too large");
    assertRefused("[{\"\\ude00\": 1}]", "entry 0: a key" + problem);
    String whole = "[{\"role\": \"user\", \"content\": \"\\ud83d\\ude00\"}]";
    Path file = Files.writeString(folder.resolve("file.json"), whole);
    assertEquals(List.of(Message.user("😀")), Transcript.read(file));
  }

  @Test
  void moreThanCanBeReadIsNotWritten() {
    Path file = folder.resolve("chat.json");
    List<Message> messages = List.of(Message.user("x".repeat(Transcript.MOST_BYTES)));
    assertThrows(IllegalArgumentException.class, () -> Transcript.write(file, messages));
    assertTrue(Files.notExists(file));
  }

  private void assertRefused(String content, String said) throws IOException {
    Files.writeString(folder.resolve("file.json"), content);
    assertTrue(refusal().contains(said), refusal());
    assertTrue(refusal().contains("file.json"), refusal());
  }

  private String refusal() {
    return assertThrows(
            IllegalArgumentException.class, () -> Transcript.read(folder.resolve("file.json")))
        .getMessage();
  }
}
