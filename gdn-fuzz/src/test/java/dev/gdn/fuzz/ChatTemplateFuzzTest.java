package dev.gdn.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.gdn.model.chat.ChatTemplate;
import dev.gdn.model.chat.TemplateOptions;
import dev.gdn.model.chat.ToolDefinition;
import dev.gdn.model.error.TemplateException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Chat templates, rendered with a conversation of every kind of message. */
class ChatTemplateFuzzTest {
  private static final List<ToolDefinition> TOOLS = List.of(Conversation.WEATHER);

  static Stream<byte[]> samples() throws IOException {
    try (Stream<Path> templates = Files.list(Samples.model("template/published"))) {
      return templates.sorted().map(Samples::bytes).toList().stream();
    }
  }

  @MethodSource("samples")
  @FuzzTest
  void rendersOrRefuses(byte[] content) {
    String source = new String(content, StandardCharsets.UTF_8);
    Bounds.check(content.length, TemplateException.class, () -> render(source));
  }

  private static void render(String source) {
    ChatTemplate.parse(source, Map.of("eos_token", "<|im_end|>"))
        .render(Conversation.MESSAGES, TOOLS, TemplateOptions.defaults());
  }
}
