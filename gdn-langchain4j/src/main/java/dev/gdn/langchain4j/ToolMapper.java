package dev.gdn.langchain4j;

import dev.gdn.model.chat.ToolCall;
import dev.gdn.model.chat.ToolDefinition;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.exception.UnsupportedFeatureException;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/** Tools and their calls, as the framework and as the model have them. */
final class ToolMapper {
  private static final Map<String, Object> NO_PARAMETERS =
      Map.of("type", "object", "properties", Map.of());

  private ToolMapper() {}

  /**
   * What the template shows of a tool.
   *
   * @throws UnsupportedFeatureException if calls are to follow the schema strictly: what the model
   *     writes as a call is not constrained
   */
  static ToolDefinition definition(ToolSpecification tool) {
    if (Boolean.TRUE.equals(tool.strict())) {
      throw new UnsupportedFeatureException(
          "tool %s: strict tools are not supported".formatted(tool.name()));
    }
    return new ToolDefinition(
        tool.name(),
        Objects.requireNonNullElse(tool.description(), ""),
        tool.parameters() == null ? NO_PARAMETERS : SchemaMapper.map(tool.parameters()));
  }

  /** A call that the model made, with an id of its own. */
  static ToolExecutionRequest request(ToolCall call) {
    return ToolExecutionRequest.builder()
        .id("call_" + UUID.randomUUID())
        .name(call.name())
        .arguments(Json.text(call.arguments()))
        .build();
  }

  /**
   * A call that the model made earlier.
   *
   * @throws IllegalArgumentException if its arguments are no JSON object
   */
  static ToolCall call(ToolExecutionRequest request) {
    String arguments = request.arguments();
    return new ToolCall(
        request.name(),
        arguments == null || arguments.isBlank()
            ? Map.of()
            : Json.object(arguments, "arguments of the call of " + request.name()));
  }
}
