package dev.gdn.model.chat;

import dev.gdn.model.error.TemplateException;
import dev.gdn.model.template.Rendering;
import dev.gdn.model.template.Template;
import dev.gdn.model.tokenizer.Tokenizer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Renders conversations as a checkpoint's own template does, with the variables that the reference,
 * transformers, gives it. Immutable and thread-safe.
 */
public final class ChatTemplate {
  /** What opens a thought, in a prompt as in the model's output. */
  static final String THOUGHT_BEGIN = "<think>";

  private static final String MESSAGES = "messages";
  private static final String TOOLS = "tools";
  private static final String ANSWER = "add_generation_prompt";

  /** What no variable of the options replaces. */
  private static final Set<String> GIVEN = Set.of(MESSAGES, TOOLS, ANSWER);

  private static final String PLAIN =
      """
      {%- if tools %}{{ raise_exception('tools: the model has no chat template to show them') }}
      {%- endif %}
      {%- for message in messages %}
      {%- if message.tool_calls %}
      {{- raise_exception('tool_calls: the model has no chat template to show them') }}
      {%- endif %}
      {%- if message.role != 'assistant' and not loop.first %}{{ '\\n' }}{% endif %}
      {%- if message.content is string %}{{ message.content }}{% else %}
      {%- for part in message.content %}
      {%- if part.type != 'text' %}
      {{- raise_exception('content: the model reads text alone, found a part that is none') }}
      {%- endif %}
      {{- part.text }}
      {%- endfor %}
      {%- endif %}
      {%- endfor %}\
      """;

  private final Template template;
  private final Map<String, String> specialTokens;

  private ChatTemplate(Template template, Map<String, String> specialTokens) {
    this.template = template;
    this.specialTokens = specialTokens;
  }

  /**
   * Parses a template.
   *
   * @param source the template's text, in Jinja
   * @param specialTokens texts of tokens by the names that templates know them by, such as {@code
   *     bos_token} and {@code eos_token}
   * @throws TemplateException if it is no template, or uses a part of Jinja that is not supported
   */
  public static ChatTemplate parse(String source, Map<String, String> specialTokens) {
    return new ChatTemplate(Template.parse(source), Map.copyOf(specialTokens));
  }

  /**
   * A template for models that have none and continue texts: what is said comes one after another,
   * a message of the user or the system on a new line. The model's answer goes on right behind the
   * user's text. Tools, calls of them and parts that are no text are refused.
   */
  public static ChatTemplate plain() {
    return parse(PLAIN, Map.of());
  }

  /**
   * Renders a conversation.
   *
   * @param tools what the model may call; may be empty
   * @throws TemplateException if the template refuses the conversation, or fails
   * @throws IllegalArgumentException if an argument of a call, a schema or a variable holds
   *     something that JSON has not
   */
  public String render(
      List<? extends Message> messages, List<ToolDefinition> tools, TemplateOptions options) {
    return renderJson(
        messages.stream().map(Message::toJson).toList(),
        tools.isEmpty() ? null : tools.stream().map(ToolDefinition::toJson).toList(),
        options);
  }

  /**
   * Renders a conversation of messages as they stand in JSON, with whatever the template knows of.
   *
   * @param messages objects with {@code role}, which is text, and {@code content}: text, a list of
   *     parts, or null where there are {@code tool_calls}, whose {@code arguments} are objects or
   *     those as JSON in a string
   * @param tools objects that define tools; null for none
   * @throws TemplateException if the template refuses the conversation, or fails
   * @throws IllegalArgumentException if something in it is of another kind or no JSON value
   */
  public String renderJson(
      List<? extends Map<String, ?>> messages,
      List<? extends Map<String, ?>> tools,
      TemplateOptions options) {
    MessageCheck.check(messages);
    return rendering(messages, tools, options).text();
  }

  private Rendering rendering(
      List<? extends Map<String, ?>> messages,
      List<? extends Map<String, ?>> tools,
      TemplateOptions options) {
    Map<String, Object> variables = new LinkedHashMap<>(specialTokens);
    variables.put("documents", null);
    variables.putAll(options.variables());
    variables.put(MESSAGES, messages);
    variables.put(TOOLS, tools);
    variables.put(ANSWER, options.addGenerationPrompt());
    return template.render(variables, MESSAGES);
  }

  /**
   * The token ids of a conversation. Tokens that the template writes are those tokens; special
   * tokens that the messages or tools spell out are text, so that what a user writes cannot steer
   * the model.
   *
   * @param tools what the model may call; may be empty
   * @throws TemplateException if the template refuses the conversation, or fails
   * @throws IllegalArgumentException if an argument of a call, a schema or a variable holds
   *     something that JSON has not
   */
  public int[] encode(
      Tokenizer tokenizer,
      List<? extends Message> messages,
      List<ToolDefinition> tools,
      TemplateOptions options) {
    return prompt(tokenizer, messages, tools, options).encode().ids();
  }

  /**
   * A conversation rendered for a tokenizer, as {@link #encode} encodes it.
   *
   * @param tools what the model may call; may be empty
   * @throws TemplateException if the template refuses the conversation, or fails
   * @throws IllegalArgumentException if an argument of a call, a schema or a variable holds
   *     something that JSON has not
   */
  public ChatPrompt prompt(
      Tokenizer tokenizer,
      List<? extends Message> messages,
      List<ToolDefinition> tools,
      TemplateOptions options) {
    List<Map<String, Object>> conversation = messages.stream().map(Message::toJson).toList();
    List<Map<String, Object>> definitions = tools.stream().map(ToolDefinition::toJson).toList();
    SpecialTokenMark mark =
        SpecialTokenMark.of(tokenizer.specialTokens(), List.of(conversation, definitions));
    Rendering prompt =
        rendering(
            mark.marked(conversation), tools.isEmpty() ? null : mark.marked(definitions), options);
    return new ChatPrompt(tokenizer, prompt, mark);
  }

  /** Whether it knows of {@link TemplateOptions#withThinking}, which else changes nothing. */
  public boolean takesThinking() {
    return takes(TemplateOptions.ENABLE_THINKING);
  }

  /**
   * Whether it knows of a variable of {@link TemplateOptions}; one that it does not know changes
   * nothing. The messages, tools and the beginning of an answer are not among these.
   */
  public boolean takes(String variable) {
    return !GIVEN.contains(variable) && template.looksUp(variable);
  }

  /** Whether a prompt ends within a thought, so that the model's output begins there. */
  public static boolean opensThought(String prompt) {
    return prompt.stripTrailing().endsWith(THOUGHT_BEGIN);
  }
}
