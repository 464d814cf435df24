package dev.gdn.acceptance.guide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gdn.demo.DemoModel;
import dev.gdn.model.ChatReply;
import dev.gdn.model.ChatSession;
import dev.gdn.model.LanguageModel;
import dev.gdn.model.TextGenerator;
import dev.gdn.model.chat.Message;
import dev.gdn.model.generation.FinishReason;
import dev.gdn.model.generation.GenerationEvent;
import dev.gdn.model.generation.GenerationOptions;
import dev.gdn.model.generation.GenerationResult;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class GuideTest {
  private static final Pattern BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
  private static final GenerationOptions SHORT = GenerationOptions.greedy().withMaxTokens(12);
  private static LanguageModel model;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

  @BeforeAll
  static void open() {
    model = LanguageModel.open(DemoModel.extract());
  }

  @AfterAll
  static void close() {
    model.close();
  }

  @Test
  void theGuideShowsTheseExamples() throws IOException {
    Path root = Path.of("../..");
    String guide = Files.readString(root.resolve("docs/guide.md"));
    String source = source();
    List<String> blocks = BLOCK.matcher(guide).results().map(match -> match.group(1)).toList();
    assertTrue(blocks.size() >= 9, blocks.size() + " examples");
    assertShown(blocks, source);
  }

  /** After its first example, which has a project of its own; each with what it imports. */
  @Test
  void theReadmeShowsTheseExamples() throws IOException {
    String readme = Files.readString(Path.of("../../README.md"));
    List<String> blocks =
        BLOCK.matcher(readme).results().skip(1).map(match -> match.group(1)).toList();
    assertFalse(blocks.isEmpty());
    assertShown(blocks, source());
    for (String line : source().lines().filter(GuideTest::isImport).toList()) {
      String type = line.substring(line.lastIndexOf('.') + 1, line.length() - 1);
      Pattern use = Pattern.compile("\\b" + type + "\\b");
      for (String block : blocks) {
        assertTrue(
            !use.matcher(block).find() || block.contains(line), () -> line + " in\n" + block);
      }
    }
  }

  private static boolean isImport(String line) {
    return line.startsWith("import ");
  }

  private static void assertShown(List<String> blocks, String source) {
    for (String block : blocks) {
      block.lines().filter(GuideTest::isImport).forEach(line -> assertTrue(source.contains(line)));
      Stream<String> body = block.lines().filter(line -> !isImport(line));
      String shown = unindented(body.collect(Collectors.joining("\n")).strip());
      assertTrue(source.contains(shown), () -> "not in Guide.java:\n" + block);
    }
  }

  private static String source() throws IOException {
    return unindented(Files.readString(Path.of("java/dev/gdn/acceptance/guide/Guide.java")));
  }

  private static String unindented(String text) {
    return text.lines().map(String::strip).collect(Collectors.joining("\n"));
  }

  private TextGenerator generator() {
    return new TextGenerator(model, model.newSession());
  }

  private static int[] prompt() {
    return model.tokenizer().encode("Once upon a time");
  }

  private String printed() {
    return bytes.toString(StandardCharsets.UTF_8);
  }

  @Test
  void optionsAndCallbacks() {
    assertTrue(printedBy(Guide.options(model, out).text()));
    Guide.callback(model, SHORT, out);
    String expected = model.generate("Once upon a time", SHORT, text -> {}).text();
    assertTrue(printedBy(expected));
    Guide.stream(generator(), prompt(), SHORT);
  }

  private boolean printedBy(String text) {
    return !text.isEmpty() && printed().contains(text);
  }

  @Test
  void publishers() throws Exception {
    CompletableFuture<String> text = new CompletableFuture<>();
    Guide.publish(generator(), prompt(), SHORT, new Collector(text));
    assertEquals(
        model.generate("Once upon a time", SHORT, piece -> {}).text(),
        text.get(60, TimeUnit.SECONDS));
  }

  private static final class Collector implements Flow.Subscriber<GenerationEvent> {
    private final CompletableFuture<String> whole;
    private final StringBuilder text = new StringBuilder();

    Collector(CompletableFuture<String> whole) {
      this.whole = whole;
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(GenerationEvent event) {
      text.append(event.text());
    }

    @Override
    public void onError(Throwable failure) {
      whole.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
      whole.complete(text.toString());
    }
  }

  @Test
  void cancellation() {
    assertEquals(
        FinishReason.CANCELLED,
        Guide.cancel(generator(), prompt(), SHORT.withMaxTokens(400)).finishReason());
  }

  @Test
  void probabilities() {
    Guide.probabilities(model, out);
    assertEquals(15, printed().lines().count(), printed());
  }

  @Test
  void structuredOutput() throws IOException {
    JsonNode pet = new ObjectMapper().readTree(Guide.schema(model));
    assertTrue(List.of("cat", "dog").contains(pet.get("kind").asText()), pet.toString());
    assertTrue(pet.get("name").asText().matches("[A-Z][a-z]{1,9}"), pet.toString());
    assertTrue(pet.get("age").asInt(-1) >= 0 && pet.get("age").asInt() <= 30, pet.toString());
  }

  @Test
  void chats(@TempDir Path folder) throws IOException {
    ChatReply reply = Guide.chat(model, out);
    assertTrue(reply.result().counts().reused() > 20);
    assertTrue(printedBy(reply.text()));
    ChatSession chat = ChatSession.open(model);
    chat.restore(List.of(Message.user("one"), Message.assistant("two"), Message.user("three")));
    Guide.keep(chat, folder.resolve("chat.json"));
    assertEquals(List.of(Message.user("one"), Message.assistant("two")), chat.history());
  }

  @Test
  void states(@TempDir Path folder) throws IOException {
    Guide.state(model, folder.resolve("session.state"), out);
    int beginning = model.tokenizer().encode("Once upon a time there was a fox.").length;
    int more = model.tokenizer().encode(" He lived in a wood.").length;
    assertTrue(printedBy(beginning + " tokens reused, " + more + " read"), printed());
    GenerationResult result = Guide.goOn(model, SHORT);
    assertEquals(
        result.counts().prompt() - model.tokenizer().encode(" And then").length,
        result.counts().reused());
  }

  @Test
  void langChain4j() throws Exception {
    assertFalse(Guide.langChain4j(model).isBlank());
    CompletableFuture<String> answer = new CompletableFuture<>();
    Guide.streamToLangChain4j(
        model,
        new StreamingChatResponseHandler() {
          @Override
          public void onCompleteResponse(ChatResponse response) {
            answer.complete(response.aiMessage().text());
          }

          @Override
          public void onError(Throwable failure) {
            answer.completeExceptionally(failure);
          }
        });
    assertFalse(answer.get(60, TimeUnit.SECONDS).isBlank());
  }

  @Test
  void toolsNeedATemplateThatShowsThem() {
    assertFalse(Guide.tools(model).tools().isEmpty());
    ChatSession chat = ChatSession.open(model, Guide.tools(model));
    assertThrows(RuntimeException.class, () -> Guide.answerCalls(chat));
  }
}
