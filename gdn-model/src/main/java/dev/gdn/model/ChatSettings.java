package dev.gdn.model;

import dev.gdn.model.chat.TemplateOptions;
import dev.gdn.model.chat.ToolDefinition;
import dev.gdn.model.generation.GenerationOptions;
import java.util.List;
import java.util.Objects;

/**
 * How a {@link ChatSession} answers. Immutable.
 *
 * @param generation how answers are generated
 * @param tools what the model may call; may be empty
 * @param template what the chat template is given beside the messages
 */
public record ChatSettings(
    GenerationOptions generation, List<ToolDefinition> tools, TemplateOptions template) {
  /** Copies the list. */
  public ChatSettings {
    Objects.requireNonNull(generation, "generation");
    tools = List.copyOf(tools);
    Objects.requireNonNull(template, "template");
  }

  /** These options, no tools, and the template's own defaults. */
  public static ChatSettings of(GenerationOptions generation) {
    return new ChatSettings(generation, List.of(), TemplateOptions.defaults());
  }

  /** The same with these options. */
  public ChatSettings withGeneration(GenerationOptions generation) {
    return new ChatSettings(generation, tools, template);
  }

  /** The same with these tools. */
  public ChatSettings withTools(ToolDefinition... tools) {
    return new ChatSettings(generation, List.of(tools), template);
  }

  /** The same with or without a thought before the answer, where the template knows of it. */
  public ChatSettings withThinking(boolean thinking) {
    return new ChatSettings(generation, tools, template.withThinking(thinking));
  }
}
