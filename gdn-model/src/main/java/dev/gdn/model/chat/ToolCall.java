package dev.gdn.model.chat;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * A tool that the model calls.
 *
 * @param name the tool's name
 * @param arguments by parameter, in the order written: text, numbers, truth values, null, and lists
 *     and maps of these
 */
public record ToolCall(String name, Map<String, Object> arguments) {
  public ToolCall {
    Objects.requireNonNull(name, "name");
    arguments = Collections.unmodifiableMap(new LinkedHashMap<>(arguments));
  }

  /** As templates take it: an object of type function. */
  public Map<String, Object> toJson() {
    Map<String, Object> function = new LinkedHashMap<>();
    function.put("name", name);
    function.put("arguments", arguments);
    Map<String, Object> call = new LinkedHashMap<>();
    call.put("type", "function");
    call.put("function", function);
    return call;
  }
}
