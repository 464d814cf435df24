package dev.gdn.model.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Schemas that hold together: those of {@code allOf}, which are made one, and those of {@code
 * oneOf}, which must exclude each other.
 */
final class SchemaParts {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  /** References and lists that lead to one another. */
  private static final int DEPTH = 50;

  private static final int MOST_PARTS = 1000;

  private static final Set<String> LARGER =
      Set.of("minimum", "exclusiveMinimum", "minLength", "minItems");
  private static final Set<String> SMALLER =
      Set.of("maximum", "exclusiveMaximum", "maxLength", "maxItems");

  private final SchemaReferences references;

  SchemaParts(SchemaReferences references) {
    this.references = references;
  }

  /** One schema that says what all parts of an {@code allOf} and the keywords beside it say. */
  ObjectNode merged(ObjectNode schema, String place) {
    Set<ObjectNode> parts = new LinkedHashSet<>();
    collect(schema, place, parts, new ArrayDeque<>());
    parts.removeIf(ObjectNode::isEmpty);
    ObjectNode all = NODES.objectNode();
    for (ObjectNode part : parts) {
      // It tells the properties of its own part from others.
      if (parts.size() > 1 && !part.path("additionalProperties").asBoolean(true)
          || parts.size() > 1 && part.path("additionalProperties").isObject()) {
        throw SchemaProblem.keyword(place, "additionalProperties", "in a part of allOf");
      }
      for (Map.Entry<String, JsonNode> entry : part.properties()) {
        JsonNode before = all.get(entry.getKey());
        all.set(
            entry.getKey(),
            before == null || before.equals(entry.getValue())
                ? entry.getValue()
                : combined(entry.getKey(), before, entry.getValue(), place));
      }
    }
    return all;
  }

  /**
   * Collects the parts of a schema.
   *
   * @param within the schemas that it is a part of
   */
  private void collect(
      JsonNode schema, String place, Set<ObjectNode> parts, Deque<JsonNode> within) {
    if (within.size() > DEPTH) {
      throw SchemaProblem.of(place, "at most %d levels of allOf".formatted(DEPTH), "more");
    }
    if (schema.isBoolean() && schema.booleanValue()) {
      return;
    }
    if (!schema.isObject()) {
      throw SchemaProblem.of(place, "an object", schema);
    }
    ObjectNode own = schema.deepCopy();
    own.remove(SchemaCompiler.ANNOTATIONS);
    JsonNode reference = own.remove("$ref");
    JsonNode list = own.remove("allOf");
    parts.add(own);
    if (parts.size() > MOST_PARTS) {
      throw SchemaProblem.of(place, "at most %d parts of allOf".formatted(MOST_PARTS), "more");
    }
    within.push(schema);
    if (reference != null) {
      JsonNode target = references.target(reference, place + "/$ref");
      if (within.stream().anyMatch(outer -> outer == target)) {
        throw SchemaProblem.of(
            place + "/$ref", "a schema that is no part of itself by allOf", reference);
      }
      collect(target, place, parts, within);
    }
    if (list != null) {
      SchemaCompiler.requireArray(list, place + "/allOf");
      for (int i = 0; i < list.size(); i++) {
        collect(list.get(i), place + "/allOf/" + i, parts, within);
      }
    }
    within.pop();
  }

  private JsonNode combined(String keyword, JsonNode one, JsonNode other, String place) {
    if (keyword.equals("type")) {
      Set<String> types =
          JsonTypes.common(JsonTypes.named(one, place), JsonTypes.named(other, place));
      if (types.isEmpty()) {
        throw SchemaProblem.of(
            place + "/type", "a type that all parts have", one + " and " + other);
      }
      return array(types.stream().<JsonNode>map(NODES::textNode).toList());
    }
    if (keyword.equals("required") && one.isArray() && other.isArray()) {
      Set<JsonNode> names = new LinkedHashSet<>();
      one.forEach(names::add);
      other.forEach(names::add);
      return array(List.copyOf(names));
    }
    if (keyword.equals("properties") && one.isObject() && other.isObject()) {
      ObjectNode all = one.deepCopy();
      other
          .properties()
          .forEach(
              entry -> {
                JsonNode before = all.get(entry.getKey());
                all.set(
                    entry.getKey(),
                    before == null ? entry.getValue() : both(before, entry.getValue()));
              });
      return all;
    }
    if ((LARGER.contains(keyword) || SMALLER.contains(keyword))
        && one.isNumber()
        && other.isNumber()) {
      BigDecimal first = one.decimalValue();
      boolean takesFirst = (first.compareTo(other.decimalValue()) > 0) == LARGER.contains(keyword);
      return takesFirst ? one : other;
    }
    throw SchemaProblem.keyword(place, keyword, "with different values in two parts of allOf");
  }

  /** A schema that says what both say, each part once, so that recursive ones come to repeat. */
  private static JsonNode both(JsonNode one, JsonNode other) {
    Set<JsonNode> parts = new LinkedHashSet<>();
    for (JsonNode schema : List.of(one, other)) {
      JsonNode list = schema.path("allOf");
      if (schema.size() == 1 && list.isArray() && !list.isEmpty()) {
        list.forEach(parts::add);
      } else {
        parts.add(schema);
      }
    }
    return parts.size() == 1
        ? parts.iterator().next()
        : NODES.objectNode().set("allOf", array(List.copyOf(parts)));
  }

  private static ArrayNode array(List<? extends JsonNode> items) {
    return NODES.arrayNode().addAll(items);
  }

  /** Refuses alternatives of which two could both be valid. */
  void requireExclusive(JsonNode options, String place) {
    List<JsonNode> resolved = new ArrayList<>();
    for (int i = 0; i < options.size(); i++) {
      resolved.add(resolved(options.get(i), place + "/" + i));
    }
    for (int i = 0; i < resolved.size(); i++) {
      for (int j = 0; j < i; j++) {
        if (!exclude(resolved.get(j), resolved.get(i), place)) {
          throw SchemaProblem.of(
              place,
              "alternatives that exclude each other, by type, by enum or const, or by those of a"
                  + " required property",
              "%d and %d, of which it is not known".formatted(j, i));
        }
      }
    }
  }

  private JsonNode resolved(JsonNode schema, String place) {
    JsonNode target = schema;
    for (int depth = 0; target.has("$ref"); depth++) {
      if (depth > DEPTH) {
        throw SchemaProblem.of(place, "a value behind each $ref", "one that leads on and on");
      }
      target = references.target(target.get("$ref"), place + "/$ref");
    }
    return target;
  }

  private boolean exclude(JsonNode one, JsonNode other, String place) {
    List<JsonNode> some = values(one);
    List<JsonNode> others = values(other);
    if (!some.isEmpty() && !others.isEmpty()) {
      return some.stream().noneMatch(value -> others.stream().anyMatch(o -> same(value, o)));
    }
    Set<String> types = types(one, some, place);
    Set<String> otherTypes = types(other, others, place);
    if (!types.isEmpty()
        && !otherTypes.isEmpty()
        && JsonTypes.common(types, otherTypes).isEmpty()) {
      return true;
    }
    if (!types.equals(Set.of("object")) || !otherTypes.equals(types)) {
      return false;
    }
    for (JsonNode name : one.path("required")) {
      if (contains(other.path("required"), name)) {
        JsonNode property = one.path("properties").path(name.asText());
        JsonNode otherProperty = other.path("properties").path(name.asText());
        if (property.isObject()
            && otherProperty.isObject()
            && !values(property).isEmpty()
            && !values(otherProperty).isEmpty()
            && exclude(property, otherProperty, place)) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean same(JsonNode one, JsonNode other) {
    return one.isNumber() && other.isNumber()
        ? one.decimalValue().compareTo(other.decimalValue()) == 0
        : one.equals(other);
  }

  private static boolean contains(JsonNode list, JsonNode value) {
    for (JsonNode item : list) {
      if (item.equals(value)) {
        return true;
      }
    }
    return false;
  }

  /** The only values that are valid, if the schema lists them. */
  private static List<JsonNode> values(JsonNode schema) {
    List<JsonNode> values = new ArrayList<>();
    if (schema.has("const")) {
      values.add(schema.get("const"));
    } else {
      schema.path("enum").forEach(values::add);
    }
    return values;
  }

  /** The only types that are valid, if the schema says them. */
  private static Set<String> types(JsonNode schema, List<JsonNode> values, String place) {
    if (schema.has("type")) {
      return JsonTypes.named(schema.get("type"), place);
    }
    Set<String> types = new LinkedHashSet<>();
    for (JsonNode value : values) {
      for (String type : List.of("object", "array", "string", "number", "boolean", "null")) {
        if (JsonTypes.isOf(type, value)) {
          types.add(type);
        }
      }
    }
    return types;
  }
}
