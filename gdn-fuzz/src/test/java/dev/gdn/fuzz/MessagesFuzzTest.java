package dev.gdn.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gdn.model.chat.ChatTemplate;
import dev.gdn.model.chat.Message;
import dev.gdn.model.chat.TemplateOptions;
import dev.gdn.model.chat.Transcript;
import dev.gdn.model.error.TemplateException;
import dev.gdn.model.tokenizer.Tokenizer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Messages and tools as {@code gdn template} and {@code gdn chat} read them, in every published
 * template and the one of models that have none. The messages of an input end at a byte that JSON
 * does not have; the tools follow, if there are any.
 */
class MessagesFuzzTest {
  private static final byte BORDER = 0x1e;
  private static final InputFile MESSAGES = new InputFile("messages.json");
  private static final InputFile TOOLS = new InputFile("tools.json");
  private static final List<ChatTemplate> TEMPLATES = templates();
  private static final Tokenizer TOKENIZER =
      Tokenizer.read(Samples.model("tokenizer/qwen3-reduced.json"));

  /** What files that are no messages are refused with, and conversations by a template. */
  private static final Set<Class<? extends RuntimeException>> DOCUMENTED =
      Set.of(IllegalArgumentException.class, TemplateException.class);

  private static List<ChatTemplate> templates() {
    try (Stream<Path> files = Files.list(Samples.model("template/published"))) {
      Stream<ChatTemplate> published =
          files
              .sorted()
              .map(file -> new String(Samples.bytes(file), StandardCharsets.UTF_8))
              .map(source -> ChatTemplate.parse(source, Map.of("eos_token", "<|im_end|>")));
      return Stream.concat(published, Stream.of(ChatTemplate.plain())).toList();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  static Stream<byte[]> samples() throws IOException {
    JsonNode cases =
        new ObjectMapper().readTree(Samples.bytes(Samples.model("template/published-cases.json")));
    return StreamSupport.stream(cases.spliterator(), false)
        .map(MessagesFuzzTest::sample)
        .distinct()
        .map(text -> text.getBytes(StandardCharsets.UTF_8));
  }

  private static String sample(JsonNode conversation) {
    String messages = conversation.get("messages").toString();
    JsonNode tools = conversation.get("tools");
    return tools.isNull() ? messages : messages + (char) BORDER + tools;
  }

  @MethodSource("samples")
  @FuzzTest
  void rendersOrRefuses(byte[] content) {
    int border = 0;
    while (border < content.length && content[border] != BORDER) {
      border++;
    }
    Path messages = MESSAGES.write(Arrays.copyOf(content, border));
    Path tools =
        border == content.length
            ? null
            : TOOLS.write(Arrays.copyOfRange(content, border + 1, content.length));
    for (ChatTemplate template : TEMPLATES) {
      Bounds.check(content.length, DOCUMENTED, () -> render(template, messages, tools));
      Bounds.check(content.length, DOCUMENTED, () -> encode(template, messages));
    }
  }

  private static void render(ChatTemplate template, Path messages, Path tools) {
    template.renderJson(objects(messages), tools == null ? null : objects(tools), options());
  }

  private static void encode(ChatTemplate template, Path file) {
    List<Message> messages;
    try {
      messages = Transcript.read(file);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    template.prompt(TOKENIZER, messages, List.of(Conversation.WEATHER), options()).encode();
  }

  private static List<Map<String, Object>> objects(Path file) {
    return Transcript.objects(new String(Samples.bytes(file), StandardCharsets.UTF_8), file);
  }

  private static TemplateOptions options() {
    return TemplateOptions.defaults();
  }
}
