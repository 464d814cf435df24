package dev.gdn.langchain4j;

import dev.gdn.model.ChatSettings;
import dev.gdn.model.LanguageModel;
import dev.gdn.model.chat.ChatTemplate;
import dev.gdn.model.chat.TemplateOptions;
import dev.gdn.model.generation.GenerationOptions;
import dev.langchain4j.model.chat.listener.ChatModelListener;
import dev.langchain4j.model.chat.request.ChatRequestParameters;
import dev.langchain4j.model.chat.request.DefaultChatRequestParameters;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * What a chat model is made of. Only the {@linkplain #model model} must be given. Used by one
 * thread at a time.
 *
 * @param <M> the chat model
 */
public final class GdnModelBuilder<M> {
  private final Function<Answering, M> construction;
  private Optional<LanguageModel> model = Optional.empty();
  private String modelName = "gdn";
  private Optional<ChatTemplate> chatTemplate = Optional.empty();
  private Optional<GenerationOptions> generationOptions = Optional.empty();
  private TemplateOptions templateOptions = TemplateOptions.defaults();
  private ChatRequestParameters parameters = DefaultChatRequestParameters.EMPTY;
  private List<ChatModelListener> listeners = List.of();
  private int idleSessions = 1;

  GdnModelBuilder(Function<Answering, M> construction) {
    this.construction = construction;
  }

  /** What answers. It stays the caller's, who closes it when no chat model needs it any more. */
  public GdnModelBuilder<M> model(LanguageModel model) {
    this.model = Optional.of(model);
    return this;
  }

  /** The name that responses give and requests may ask for; {@code gdn} if not set. */
  public GdnModelBuilder<M> modelName(String modelName) {
    this.modelName = Objects.requireNonNull(modelName, "modelName");
    return this;
  }

  /**
   * Turns messages into a prompt, instead of the checkpoint's own template or, where it has none,
   * {@link ChatTemplate#plain()}.
   */
  public GdnModelBuilder<M> chatTemplate(ChatTemplate template) {
    this.chatTemplate = Optional.of(template);
    return this;
  }

  /** With or without a thought before the answer, where the template knows of it. */
  public GdnModelBuilder<M> thinking(boolean thinking) {
    this.templateOptions = templateOptions.withThinking(thinking);
    return this;
  }

  /**
   * How to generate where a request's parameters say nothing, and what those have no name for: the
   * seed, min-p, the repetition penalty, the logit bias, the budget of a thought. If not set, the
   * {@linkplain LanguageModel#defaultOptions() checkpoint's} own, and as many tokens as the context
   * takes. A JSON response format replaces its constraint.
   */
  public GdnModelBuilder<M> generationOptions(GenerationOptions options) {
    this.generationOptions = Optional.of(options);
    return this;
  }

  /** What holds for requests that do not say otherwise. */
  public GdnModelBuilder<M> defaultRequestParameters(ChatRequestParameters parameters) {
    this.parameters = Objects.requireNonNull(parameters, "parameters");
    return this;
  }

  /** Who is told of requests, responses and errors. */
  public GdnModelBuilder<M> listeners(List<ChatModelListener> listeners) {
    this.listeners = List.copyOf(listeners);
    return this;
  }

  /**
   * How many sessions to keep after their replies, 1 if not set. A conversation whose session is
   * kept reads nothing but its new messages; any other reads its last answer again, too, or more
   * where the model's own states of beginnings have been dropped. Each keeps the memory of its
   * conversation's state.
   *
   * @param count at least 0
   * @throws IllegalArgumentException if it is negative
   */
  public GdnModelBuilder<M> idleSessions(int count) {
    if (count < 0) {
      throw new IllegalArgumentException("idleSessions: expected at least 0, found " + count);
    }
    this.idleSessions = count;
    return this;
  }

  /**
   * The chat model.
   *
   * @throws IllegalArgumentException if there is no model, a default is out of range, or the
   *     options ask for log-probabilities, which responses cannot hold
   * @throws dev.langchain4j.exception.UnsupportedFeatureException if a default asks for what
   *     requests may not ask for
   * @throws dev.gdn.model.error.TemplateException if the checkpoint's template is not valid
   */
  public M build() {
    LanguageModel m =
        model.orElseThrow(() -> new IllegalArgumentException("model: expected one, found none"));
    GenerationOptions options =
        generationOptions.orElseGet(() -> m.defaultOptions().withMaxTokens(m.context()));
    if (options.logProbabilities().isPresent()) {
      throw new IllegalArgumentException(
          "generationOptions: expected no log-probabilities, which responses cannot hold");
    }
    RequestMapper mapper =
        new RequestMapper(m, modelName, new ChatSettings(options, List.of(), templateOptions));
    mapper.settings(parameters);
    ChatTemplate template = chatTemplate.or(m::chatTemplate).orElseGet(ChatTemplate::plain);
    return construction.apply(
        new Answering(
            modelName,
            mapper,
            new Conversations(m, template, idleSessions),
            ChatRequestParameters.builder().modelName(modelName).build().overrideWith(parameters),
            listeners));
  }
}
