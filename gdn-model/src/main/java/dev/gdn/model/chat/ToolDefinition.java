package dev.gdn.model.chat;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * A tool that the model may call.
 *
 * @param name its name
 * @param description what it does, for the model; may be empty
 * @param parameters the JSON schema of an object whose properties are the parameters: text,
 *     numbers, truth values, null, and lists and maps of these
 */
public record ToolDefinition(String name, String description, Map<String, Object> parameters) {
  public ToolDefinition {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(description, "description");
    parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
    if (name.isBlank()) {
      throw new IllegalArgumentException("name: expected the name of a tool, found none");
    }
  }

  /** As templates take it: an object of type function. */
  public Map<String, Object> toJson() {
    Map<String, Object> function = new LinkedHashMap<>();
    function.put("name", name);
    if (!description.isEmpty()) {
      function.put("description", description);
    }
    function.put("parameters", parameters);
    Map<String, Object> tool = new LinkedHashMap<>();
    tool.put("type", "function");
    tool.put("function", function);
    return tool;
  }
}
