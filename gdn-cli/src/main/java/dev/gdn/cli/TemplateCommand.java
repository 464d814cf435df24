package dev.gdn.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.gdn.demo.DemoModel;
import dev.gdn.model.chat.ChatTemplate;
import dev.gdn.model.chat.TemplateOptions;
import dev.gdn.model.chat.Transcript;
import dev.gdn.model.checkpoint.ChatTemplates;
import dev.gdn.model.checkpoint.Checkpoint;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "template", description = "Prints a conversation as a chat template renders it.")
final class TemplateCommand extends BaseCommand {
  private static final ObjectMapper JSON =
      JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();

  private static final String SET = "--set";

  @ArgGroup private Source source;

  /** Where the template comes from. */
  static final class Source {
    @Option(
        names = "--template",
        required = true,
        paramLabel = "FILE",
        description = "The template, in Jinja, such as a checkpoint's chat_template.jinja.")
    private Path file;

    @Option(
        names = {"-m", "--model"},
        required = true,
        paramLabel = "PATH",
        description =
            "A checkpoint folder of a model hub, or a GGUF file: its own template, which is given"
                + " its special tokens; the demonstration model if none.")
    private Path checkpoint;
  }

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "Of a checkpoint with several templates this one, such as tool_use.")
  private String name;

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
      names = SET,
      paramLabel = "NAME=VALUE",
      converter = Assignment.Converter.class,
      description =
          "Gives the template a variable that it knows, such as enable_thinking=false; JSON, else"
              + " text. May be repeated.")
  private List<Assignment> variables = List.of();

  @Option(
      names = "--no-generation-prompt",
      description = "End behind the last message, without the beginning of an answer.")
  private boolean withoutGenerationPrompt;

  @Override
  void run(PrintWriter out) {
    Optional<ChatTemplate> own = template();
    ChatTemplate template = own.orElseGet(ChatTemplate::plain);
    String text =
        template.renderJson(
            objects(messages), tools == null ? null : objects(tools), options(template));
    if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
      throw new InputException(
          "the rendering: expected Unicode text, found half of a surrogate pair, which the template"
              + " or a variable gives");
    }
    if (own.isEmpty()) {
      Failures.say(
          err(), checkpoint() + ": no chat template; messages follow one another, as in gdn chat");
    }
    out.print(text);
    // Elsewhere, nothing but the rendering.
    if (isOnTerminal() && !text.endsWith("\n")) {
      out.println();
    }
  }

  private TemplateOptions options(ChatTemplate template) {
    TemplateOptions options =
        TemplateOptions.defaults().withGenerationPrompt(!withoutGenerationPrompt);
    Map<String, Object> values =
        Assignment.all(SET, variables, name -> name, TemplateCommand::value);
    for (Map.Entry<String, Object> variable : values.entrySet()) {
      if (!template.takes(variable.getKey())) {
        throw new InputException(
            "%s: expected a variable that the chat template knows, found %s"
                .formatted(SET, variable.getKey()));
      }
      options = options.withVariable(variable.getKey(), variable.getValue());
    }
    return options;
  }

  private Path checkpoint() {
    return source == null ? DemoModel.extract() : source.checkpoint;
  }

  /** The template that was asked for; empty if the checkpoint has none. */
  private Optional<ChatTemplate> template() {
    if (source != null && source.file != null) {
      if (name != null) {
        throw new InputException("--name goes with --model, whose templates may have names");
      }
      return Optional.of(ChatTemplate.parse(TextFile.read(source.file, TextFile.SMALL), Map.of()));
    }
    Path checkpoint = checkpoint();
    ChatTemplates templates = Checkpoint.open(checkpoint).readChatTemplates();
    if (name == null && templates.main().isEmpty() && templates.named().isEmpty()) {
      return Optional.empty();
    }
    Optional<String> text =
        name == null ? templates.main() : Optional.ofNullable(templates.named().get(name));
    return Optional.of(
        ChatTemplate.parse(
            text.orElseThrow(
                () ->
                    new InputException(
                        "%s: expected a chat template%s, found %s"
                            .formatted(
                                checkpoint,
                                name == null ? "" : " named " + name,
                                found(templates)))),
            templates.specialTokens()));
  }

  private static String found(ChatTemplates templates) {
    List<String> found = new ArrayList<>(templates.named().keySet());
    templates.main().ifPresent(main -> found.addFirst("one without a name"));
    return found.isEmpty() ? "none" : String.join(", ", found);
  }

  private static Object value(String text) {
    try {
      return JSON.readValue(text, Object.class);
    } catch (JsonProcessingException noJson) {
      return text;
    }
  }

  private static List<Map<String, Object>> objects(Path file) {
    return Transcript.objects(TextFile.read(file, TextFile.SMALL), file);
  }
}
