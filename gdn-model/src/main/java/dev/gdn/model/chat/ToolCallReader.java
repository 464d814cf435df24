package dev.gdn.model.chat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.gdn.model.json.JsonProblem;
import dev.gdn.model.json.JsonValues;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Reads what stands between the marks of a tool call, in the two forms of the family: {@code
 * <function=NAME><parameter=NAME>VALUE</parameter>…</function>}, and {@code {"name": …,
 * "arguments": {…}}}.
 */
final class ToolCallReader {
  private static final int DEPTH = 100;

  /** Reads JSON that a model wrote, nested no deeper than templates take it back. */
  static final ObjectMapper JSON =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxNestingDepth(DEPTH).build())
                  .build())
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private static final String FUNCTION = "<function=";
  private static final String FUNCTION_END = "</function>";
  private static final String PARAMETER = "<parameter=";
  private static final String PARAMETER_END = "</parameter>";

  private final Map<String, ToolDefinition> tools;

  /**
   * @throws IllegalArgumentException if two tools have the same name
   */
  ToolCallReader(List<ToolDefinition> tools) {
    this.tools =
        tools.stream()
            .collect(
                Collectors.toMap(
                    ToolDefinition::name,
                    Function.identity(),
                    (a, b) -> {
                      throw new IllegalArgumentException(
                          "tools: expected each name once, found \"%s\" twice".formatted(a.name()));
                    },
                    LinkedHashMap::new));
  }

  /** What is wrong with a call. */
  private static final class Malformed extends Exception {
    private static final long serialVersionUID = 1L;

    Malformed(String problem) {
      super(problem);
    }
  }

  /**
   * Reads a call.
   *
   * @param body what stands before an end mark
   * @param text the same with its marks, for messages
   * @return the call, or what is wrong with it; empty if the body stops within an argument, which
   *     then holds the end mark
   */
  Optional<OutputEvent> read(String body, String text) {
    try {
      String stripped = body.strip();
      Optional<ToolCall> call = stripped.startsWith("{") ? json(stripped) : tags(stripped);
      return call.map(OutputEvent.Call::new);
    } catch (Malformed e) {
      return Optional.of(new OutputEvent.BrokenCall(text, e.getMessage(), false));
    }
  }

  private ToolDefinition tool(String name) throws Malformed {
    ToolDefinition tool = tools.get(name);
    if (tool == null) {
      throw new Malformed("expected one of the tools %s, found %s".formatted(tools.keySet(), name));
    }
    return tool;
  }

  private Optional<ToolCall> json(String body) throws Malformed {
    Map<String, Object> call;
    try {
      call = JSON.readValue(body, new TypeReference<>() {});
    } catch (JsonEOFException incomplete) {
      if (endsWithinString(body)) {
        return Optional.empty();
      }
      throw new Malformed(JsonProblem.describe(incomplete));
    } catch (JsonProcessingException e) {
      throw new Malformed(JsonProblem.describe(e));
    }
    if (!(call.get("name") instanceof String name)) {
      throw new Malformed("name: expected a string, found " + JsonProblem.shown(call.get("name")));
    }
    return Optional.of(call(tool(name), jsonArguments(call.get("arguments"))));
  }

  private static boolean endsWithinString(String json) {
    boolean within = false;
    for (int i = 0; i < json.length(); i++) {
      if (json.charAt(i) == '"') {
        within = !within;
      } else if (within && json.charAt(i) == '\\') {
        i++;
      }
    }
    return within;
  }

  /** Some models write the arguments as JSON within a string. */
  private static Map<?, ?> jsonArguments(Object arguments) throws Malformed {
    Object value = arguments;
    if (arguments instanceof String text) {
      try {
        value = JSON.readValue(text, Object.class);
      } catch (JsonProcessingException e) {
        throw new Malformed("arguments: " + JsonProblem.describe(e));
      }
    }
    return switch (value) {
      case null -> Map.of();
      case Map<?, ?> map -> map;
      default ->
          throw new Malformed("arguments: expected an object, found " + JsonProblem.shown(value));
    };
  }

  private ToolCall call(ToolDefinition tool, Map<?, ?> written) throws Malformed {
    ParameterTypes types = new ParameterTypes(tool.parameters());
    Map<String, Object> arguments = new LinkedHashMap<>();
    for (Map.Entry<?, ?> argument : written.entrySet()) {
      String name = (String) argument.getKey();
      try {
        JsonValues.require("parameter " + name, argument.getValue());
        Object typed = types.typed(name, argument.getValue());
        JsonValues.require("parameter " + name, typed);
        arguments.put(name, typed);
      } catch (IllegalArgumentException e) {
        throw new Malformed(e.getMessage());
      }
    }
    return new ToolCall(tool.name(), arguments);
  }

  private Optional<ToolCall> tags(String body) throws Malformed {
    int nameEnd = body.indexOf('>');
    if (!body.startsWith(FUNCTION) || nameEnd < 0) {
      throw new Malformed(
          "expected %sNAME> or an object, found %s".formatted(FUNCTION, shown(body)));
    }
    ToolDefinition tool = tool(body.substring(FUNCTION.length(), nameEnd).strip());
    Map<String, Object> written = new LinkedHashMap<>();
    String rest = body.substring(nameEnd + 1).stripLeading();
    while (rest.startsWith(PARAMETER)) {
      int close = rest.indexOf('>');
      int end = close < 0 ? -1 : parameterEnd(rest, close + 1);
      if (end < 0 && rest.endsWith(FUNCTION_END)) {
        throw new Malformed("expected %s, found the end of the call".formatted(PARAMETER_END));
      }
      if (end < 0) {
        return Optional.empty();
      }
      String name = rest.substring(PARAMETER.length(), close).strip();
      if (written.put(name, new ParameterTypes.Written(value(rest.substring(close + 1, end))))
          != null) {
        throw new Malformed("parameter %s: expected once, found twice".formatted(name));
      }
      rest = rest.substring(end + PARAMETER_END.length()).stripLeading();
    }
    if (!rest.equals(FUNCTION_END)) {
      throw new Malformed(
          "expected %sNAME> or %s, found %s".formatted(PARAMETER, FUNCTION_END, shown(rest)));
    }
    return Optional.of(call(tool, written));
  }

  /** Where a value ends: at an end mark behind which another parameter or the end follows. */
  private static int parameterEnd(String text, int from) {
    int first = text.indexOf(PARAMETER_END, from);
    for (int at = first; at >= 0; at = text.indexOf(PARAMETER_END, at + 1)) {
      int behind = at + PARAMETER_END.length();
      while (behind < text.length() && Character.isWhitespace(text.charAt(behind))) {
        behind++;
      }
      if (text.startsWith(PARAMETER, behind) || text.startsWith(FUNCTION_END, behind)) {
        return at;
      }
    }
    return first;
  }

  /** The template puts a value on lines of its own. */
  private static String value(String text) {
    int from = text.startsWith("\n") ? 1 : 0;
    int to = text.length() > from && text.endsWith("\n") ? text.length() - 1 : text.length();
    return text.substring(from, to);
  }

  private static String shown(String text) {
    return text.isEmpty() ? "nothing" : text.length() <= 60 ? text : text.substring(0, 60) + "…";
  }
}
