package dev.gdn.langchain4j;

import dev.gdn.model.ChatSettings;
import dev.gdn.model.LanguageModel;
import dev.gdn.model.chat.ToolDefinition;
import dev.gdn.model.generation.Constraint;
import dev.gdn.model.generation.GenerationOptions;
import dev.gdn.model.generation.SamplingOptions;
import dev.langchain4j.exception.UnsupportedFeatureException;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.ChatRequestParameters;
import dev.langchain4j.model.chat.request.ResponseFormat;
import dev.langchain4j.model.chat.request.ResponseFormatType;
import dev.langchain4j.model.chat.request.ToolChoice;
import java.util.List;
import java.util.Map;

/** Turns requests into what the model takes, and refuses what it cannot do. Thread-safe. */
final class RequestMapper {
  private static final String ANY_OBJECT = Json.text(Map.of("type", "object"));

  private final Constraints constraints;
  private final String modelName;
  private final ChatSettings defaults;

  /**
   * @param modelName the one name that requests may give
   * @param defaults what a request does not say
   */
  RequestMapper(LanguageModel model, String modelName, ChatSettings defaults) {
    this.constraints = new Constraints(model);
    this.modelName = modelName;
    this.defaults = defaults;
  }

  /**
   * A request that can be answered.
   *
   * @throws UnsupportedFeatureException if it asks for what the model cannot do
   * @throws IllegalArgumentException if a value is out of range
   */
  Request map(ChatRequest request) {
    return new Request(MessageMapper.map(request.messages()), settings(request.parameters()));
  }

  /**
   * How to answer by these parameters.
   *
   * @throws UnsupportedFeatureException if they ask for what the model cannot do
   * @throws IllegalArgumentException if a value is out of range
   */
  ChatSettings settings(ChatRequestParameters parameters) {
    requireOurs(parameters.modelName());
    List<ToolDefinition> tools = tools(parameters);
    GenerationOptions options = options(parameters);
    ResponseFormat format = parameters.responseFormat();
    if (format != null && format.type() == ResponseFormatType.JSON) {
      if (!tools.isEmpty()) {
        throw new UnsupportedFeatureException(
            "a JSON response format together with tools is not supported");
      }
      options = options.withConstraint(constraint(format));
    }
    return new ChatSettings(options, tools, defaults.template());
  }

  private void requireOurs(String name) {
    if (name != null && !name.equals(modelName)) {
      throw new UnsupportedFeatureException(
          "modelName: %s is not supported, the model is %s".formatted(name, modelName));
    }
  }

  private static List<ToolDefinition> tools(ChatRequestParameters parameters) {
    if (parameters.toolChoice() == ToolChoice.REQUIRED) {
      throw new UnsupportedFeatureException("ToolChoice.REQUIRED is not supported");
    }
    if (parameters.toolChoice() == ToolChoice.NONE) {
      return List.of(); // what the model does not see it does not call
    }
    return parameters.toolSpecifications().stream().map(ToolMapper::definition).toList();
  }

  private GenerationOptions options(ChatRequestParameters p) {
    GenerationOptions options = defaults.generation();
    SamplingOptions s = options.sampling();
    options =
        options.withSampling(
            s.withTemperature(or(p.temperature(), s.temperature()))
                .withFilters(
                    p.topK() == null ? s.topK() : p.topK(), or(p.topP(), s.topP()), s.minP())
                .withPenalties(
                    s.repetitionPenalty(),
                    or(p.presencePenalty(), s.presencePenalty()),
                    or(p.frequencyPenalty(), s.frequencyPenalty())));
    if (p.maxOutputTokens() != null) {
      options = options.withMaxTokens(p.maxOutputTokens());
    }
    return p.stopSequences().isEmpty()
        ? options
        : options.withStopStrings(p.stopSequences().toArray(String[]::new));
  }

  private static float or(Double value, float otherwise) {
    return value == null ? otherwise : value.floatValue();
  }

  private Constraint constraint(ResponseFormat format) {
    String schema =
        format.jsonSchema() == null
            ? ANY_OBJECT
            : Json.text(SchemaMapper.map(format.jsonSchema().rootElement()));
    try {
      return constraints.of(schema);
    } catch (IllegalArgumentException e) {
      UnsupportedFeatureException refusal =
          new UnsupportedFeatureException(
              "this schema of a JSON response format is not supported: " + e.getMessage());
      refusal.initCause(e);
      throw refusal;
    }
  }
}
