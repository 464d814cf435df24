package dev.gdn.model.chat;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * How a conversation is rendered. Immutable.
 *
 * @param addGenerationPrompt whether the prompt ends with the beginning of the model's answer
 * @param variables what else the template is given, by name
 */
public record TemplateOptions(boolean addGenerationPrompt, Map<String, Object> variables) {
  /** What templates call the choice to think. */
  static final String ENABLE_THINKING = "enable_thinking";

  public TemplateOptions {
    variables = Collections.unmodifiableMap(new LinkedHashMap<>(variables));
  }

  /** A prompt for the model's next answer, with the template's own defaults. */
  public static TemplateOptions defaults() {
    return new TemplateOptions(true, Map.of());
  }

  /** With or without the beginning of the model's answer. */
  public TemplateOptions withGenerationPrompt(boolean add) {
    return new TemplateOptions(add, variables);
  }

  /** With or without a thought before the answer, {@code enable_thinking}. */
  public TemplateOptions withThinking(boolean thinking) {
    return withVariable(ENABLE_THINKING, thinking);
  }

  /**
   * With a variable that the template knows; {@link ChatTemplate#takes} says whether it does.
   *
   * @param value text, a number, a truth value, null, or a list or map of these
   */
  public TemplateOptions withVariable(String name, Object value) {
    Map<String, Object> more = new LinkedHashMap<>(variables);
    more.put(Objects.requireNonNull(name, "name"), value);
    return new TemplateOptions(addGenerationPrompt, more);
  }
}
