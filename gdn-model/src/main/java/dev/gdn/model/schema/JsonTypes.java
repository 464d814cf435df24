package dev.gdn.model.schema;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The types that a schema names. */
final class JsonTypes {
  private static final Set<String> ALL =
      Set.of("object", "array", "string", "integer", "number", "boolean", "null");

  private JsonTypes() {}

  static boolean isOf(String type, JsonNode value) {
    return switch (type) {
      case "object" -> value.isObject();
      case "array" -> value.isArray();
      case "string" -> value.isTextual();
      case "number" -> value.isNumber();
      case "integer" -> value.isNumber() && value.decimalValue().stripTrailingZeros().scale() <= 0;
      case "boolean" -> value.isBoolean();
      default -> value.isNull();
    };
  }

  /**
   * The types that a keyword {@code type} names.
   *
   * @param place of the schema
   */
  static Set<String> named(JsonNode type, String place) {
    Set<String> types = new LinkedHashSet<>();
    for (JsonNode name : type.isArray() ? type : List.of(type)) {
      if (!ALL.contains(name.asText())) {
        throw SchemaProblem.of(place + "/type", "one of " + ALL, name);
      }
      types.add(name.asText());
    }
    if (types.isEmpty()) {
      throw SchemaProblem.of(place + "/type", "a type", "none");
    }
    return types;
  }

  /** What values of types of either kind are: integers are numbers. */
  static Set<String> common(Set<String> some, Set<String> others) {
    Set<String> common = new LinkedHashSet<>();
    for (String type : some) {
      if (others.contains(type) || type.equals("integer") && others.contains("number")) {
        common.add(type);
      } else if (type.equals("number") && others.contains("integer")) {
        common.add("integer");
      }
    }
    return common;
  }
}
