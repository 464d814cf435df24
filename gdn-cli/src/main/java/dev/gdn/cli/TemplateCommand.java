package dev.gdn.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.gdn.model.chat.ChatTemplate;
import dev.gdn.model.chat.TemplateOptions;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "template", description = "Prints a conversation as a chat template renders it.")
final class TemplateCommand extends BaseCommand {
  private static final ObjectMapper JSON =
      JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();

  @Option(
      names = "--template",
      required = true,
      paramLabel = "FILE",
      description = "The template, in Jinja, such as a checkpoint's chat_template.jinja.")
  private Path template;

  @Option(
      names = "--messages",
      required = true,
      paramLabel = "FILE",
      description = "The messages, a JSON list of objects with role and content.")
  private Path messages;

  @Option(
      names = "--tools",
      paramLabel = "FILE",
      description = "The tools, a JSON list of objects of type function.")
  private Path tools;

  @Option(
      names = "--set",
      paramLabel = "NAME=VALUE",
      description =
          "Gives the template a variable, such as enable_thinking=false; JSON, else text. May be"
              + " repeated.")
  private Map<String, String> variables = Map.of();

  @Option(
      names = "--no-generation-prompt",
      description = "End behind the last message, without the beginning of an answer.")
  private boolean withoutGenerationPrompt;

  @Override
  void run(PrintWriter out) {
    TemplateOptions options =
        TemplateOptions.defaults().withGenerationPrompt(!withoutGenerationPrompt);
    for (Map.Entry<String, String> variable : variables.entrySet()) {
      options = options.withVariable(variable.getKey(), value(variable.getValue()));
    }
    out.print(
        ChatTemplate.parse(TextFile.read(template), Map.of())
            .renderJson(objects(messages), tools == null ? null : objects(tools), options));
  }

  private static Object value(String text) {
    try {
      return JSON.readValue(text, Object.class);
    } catch (JsonProcessingException noJson) {
      return text;
    }
  }

  private static List<Map<String, Object>> objects(Path file) {
    try {
      return JSON
          .readValue(
              TextFile.read(file), new TypeReference<List<LinkedHashMap<String, Object>>>() {})
          .stream()
          .<Map<String, Object>>map(object -> object)
          .toList();
    } catch (JsonProcessingException e) {
      throw new InputException(
          "%s: expected a JSON list of objects: %s".formatted(file, e.getOriginalMessage()), e);
    }
  }
}
