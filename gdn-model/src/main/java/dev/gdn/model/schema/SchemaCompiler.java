package dev.gdn.model.schema;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.gdn.model.json.JsonProblem;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Makes a grammar of a JSON schema. */
final class SchemaCompiler {
  private static final int DEPTH = 100;
  private static final int MOST_PROPERTIES = 1000;

  private static final ObjectMapper JSON =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxNestingDepth(DEPTH).build())
                  .build())
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .build();

  private static final Set<String> ANNOTATIONS =
      Set.of(
          "$schema",
          "$id",
          "$comment",
          "$defs",
          "definitions",
          "title",
          "description",
          "default",
          "examples",
          "deprecated",
          "readOnly",
          "writeOnly",
          "format");

  /** What each type's values are described by. */
  private static final Map<String, Set<String>> KEYWORDS =
      Map.of(
          "object", Set.of("properties", "required", "additionalProperties"),
          "array", Set.of("items", "prefixItems", "minItems", "maxItems"),
          "string", Set.of("minLength", "maxLength"),
          "integer", Set.of(),
          "number", Set.of(),
          "boolean", Set.of(),
          "null", Set.of());

  private final JsonNode root;
  private final Map<String, Node.Reference> references = new HashMap<>(); // by pointer
  private final Node.Reference anything = new Node.Reference();

  private SchemaCompiler(JsonNode root) {
    this.root = root;
    anything.target =
        Nodes.choice(
            map(anything),
            Nodes.array(anything, 0, Node.Repeat.UNBOUNDED),
            Nodes.string(0, Node.Repeat.UNBOUNDED),
            Nodes.NUMBER,
            Nodes.text("true"),
            Nodes.text("false"),
            Nodes.text("null"));
  }

  /**
   * The grammar of the JSON that is valid by a schema.
   *
   * @throws IllegalArgumentException if it is no JSON schema, uses what is not supported, or
   *     nothing is valid by it
   */
  static Node compile(String schema) {
    JsonNode root;
    try {
      root = JSON.readTree(schema);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("schema: " + JsonProblem.describe(e), e);
    }
    Node grammar = new SchemaCompiler(root).reference("#", "");
    GrammarCheck.check(grammar);
    return grammar;
  }

  private static IllegalArgumentException problem(String place, String expected, Object found) {
    return new IllegalArgumentException(
        "schema%s: expected %s, found %s".formatted(place, expected, found));
  }

  private Node value(JsonNode schema, String place) {
    if (schema.isBoolean() && schema.booleanValue()) {
      return anything;
    }
    if (!schema.isObject()) {
      throw problem(place, "an object", schema);
    }
    for (String single : List.of("$ref", "anyOf", "const", "enum")) {
      if (schema.has(single)) {
        return single(single, schema, place);
      }
    }
    Set<String> types = types(schema, place);
    Set<String> known = new LinkedHashSet<>(ANNOTATIONS);
    known.add("type");
    types.forEach(type -> known.addAll(KEYWORDS.get(type)));
    requireKnown(schema, known, place, "for type " + String.join(" or ", types));
    return types.size() == KEYWORDS.size()
        ? anything
        : new Node.Choice(types.stream().map(type -> typed(type, schema, place)).toList());
  }

  private static void requireKnown(
      JsonNode schema, Set<String> known, String place, String circumstance) {
    schema
        .fieldNames()
        .forEachRemaining(
            keyword -> {
              if (!known.contains(keyword)) {
                throw new IllegalArgumentException(
                    "schema%s: keyword \"%s\" is not supported %s"
                        .formatted(place, keyword, circumstance));
              }
            });
  }

  /** The types that are named, or else those that the keywords describe, or else all. */
  private static Set<String> types(JsonNode schema, String place) {
    JsonNode type = schema.get("type");
    Set<String> types = new LinkedHashSet<>();
    if (type == null) {
      KEYWORDS.forEach(
          (name, keywords) -> {
            if (keywords.stream().anyMatch(schema::has)) {
              types.add(name);
            }
          });
      return types.isEmpty() ? KEYWORDS.keySet() : types;
    }
    for (JsonNode name : type.isArray() ? type : List.of(type)) {
      if (!KEYWORDS.containsKey(name.asText())) {
        throw problem(place + "/type", "one of " + KEYWORDS.keySet(), name);
      }
      types.add(name.asText());
    }
    if (types.isEmpty()) {
      throw problem(place + "/type", "a type", "none");
    }
    return types;
  }

  /** A schema that one keyword says all of. */
  private Node single(String keyword, JsonNode schema, String place) {
    Set<String> known = new LinkedHashSet<>(ANNOTATIONS);
    known.add(keyword);
    boolean listed = keyword.equals("const") || keyword.equals("enum");
    if (listed) {
      known.add("type");
    }
    requireKnown(schema, known, place, "beside " + keyword);
    JsonNode value = schema.get(keyword);
    String at = place + "/" + keyword;
    return switch (keyword) {
      case "$ref" -> reference(value.asText(), at);
      case "anyOf" -> {
        requireArray(value, at);
        List<Node> options = new ArrayList<>();
        for (int i = 0; i < value.size(); i++) {
          options.add(value(value.get(i), at + "/" + i));
        }
        yield new Node.Choice(options);
      }
      case "const" -> literals(List.of(value), schema, place);
      default -> {
        requireArray(value, at);
        yield literals(value, schema, place);
      }
    };
  }

  private static void requireArray(JsonNode value, String place) {
    if (!value.isArray() || value.isEmpty()) {
      throw problem(place, "a list with at least one entry", value);
    }
  }

  private Node literals(Iterable<JsonNode> values, JsonNode schema, String place) {
    Set<String> types = types(schema, place);
    List<Node> literals = new ArrayList<>();
    for (JsonNode value : values) {
      if (types.stream().anyMatch(type -> isOf(type, value))) {
        literals.add(Nodes.text(value.toString()));
      }
    }
    if (literals.isEmpty()) {
      throw problem(place, "a value of type " + String.join(" or ", types), "none");
    }
    return new Node.Choice(literals);
  }

  private static boolean isOf(String type, JsonNode value) {
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

  private Node typed(String type, JsonNode schema, String place) {
    return switch (type) {
      case "object" -> object(schema, place);
      case "array" -> array(schema, place);
      case "string" -> string(schema, place);
      case "integer" -> Nodes.INTEGER;
      case "number" -> Nodes.NUMBER;
      case "boolean" -> Nodes.choice(Nodes.text("true"), Nodes.text("false"));
      default -> Nodes.text("null");
    };
  }

  private Node reference(String pointer, String place) {
    Node.Reference known = references.get(pointer);
    if (known != null) {
      return known;
    }
    boolean local = pointer.equals("#") || pointer.startsWith("#/");
    JsonNode target =
        !local ? null : pointer.equals("#") ? root : root.at(unescaped(pointer.substring(1)));
    if (target == null || target.isMissingNode()) {
      throw problem(place, "a place within the schema, such as #/$defs/name", pointer);
    }
    Node.Reference reference = new Node.Reference();
    references.put(pointer, reference);
    reference.target = value(target, pointer.substring(1));
    return reference;
  }

  private static String unescaped(String fragment) {
    return URLDecoder.decode(fragment.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  private Node string(JsonNode schema, String place) {
    int min = count(schema, "minLength", 0, place);
    int max = count(schema, "maxLength", Node.Repeat.UNBOUNDED, place);
    requireOrder(min, max, place, "minLength");
    return Nodes.string(min, max);
  }

  private static int count(JsonNode schema, String keyword, int otherwise, String place) {
    JsonNode value = schema.get(keyword);
    if (value == null) {
      return otherwise;
    }
    if (!isOf("integer", value) || !value.canConvertToInt() || value.intValue() < 0) {
      throw problem(place + "/" + keyword, "an integer of at least 0", value);
    }
    return value.intValue();
  }

  private static void requireOrder(int min, int max, String place, String keyword) {
    if (min > max) {
      throw problem(place + "/" + keyword, "at most " + max, min);
    }
  }

  private Node array(JsonNode schema, String place) {
    int min = count(schema, "minItems", 0, place);
    int max = count(schema, "maxItems", Node.Repeat.UNBOUNDED, place);
    requireOrder(min, max, place, "minItems");
    JsonNode items = schema.get("items");
    boolean closed = items != null && items.isBoolean() && !items.booleanValue();
    JsonNode prefix = schema.get("prefixItems");
    if (prefix != null) {
      requireArray(prefix, place + "/prefixItems");
      if (!closed || min > prefix.size() || max < prefix.size()) {
        throw problem(
            place,
            "with prefixItems also \"items\": false, and no limits that rule out all of them",
            schema);
      }
      List<Node> parts = new ArrayList<>(List.of(Nodes.text("["), Nodes.SPACE));
      for (int i = 0; i < prefix.size(); i++) {
        if (i > 0) {
          parts.addAll(List.of(Nodes.text(","), Nodes.SPACE));
        }
        parts.add(value(prefix.get(i), place + "/prefixItems/" + i));
      }
      parts.addAll(List.of(Nodes.SPACE, Nodes.text("]")));
      return new Node.Sequence(parts);
    }
    if (closed) {
      requireOrder(min, 0, place, "minItems");
      return Nodes.array(anything, 0, 0);
    }
    Node item = items == null ? anything : value(items, place + "/items");
    return Nodes.array(item, min, max);
  }

  private record Property(Node node, boolean required) {}

  private Node object(JsonNode schema, String place) {
    Map<String, JsonNode> declared = new LinkedHashMap<>();
    JsonNode properties = schema.path("properties");
    if (schema.has("properties") && !properties.isObject()) {
      throw problem(place + "/properties", "an object", properties);
    }
    properties.properties().forEach(entry -> declared.put(entry.getKey(), entry.getValue()));
    JsonNode others = schema.get("additionalProperties");
    boolean closed = others != null && others.isBoolean() && !others.booleanValue();
    Set<String> required = required(schema, place);
    for (String name : required) {
      if (!declared.containsKey(name) && closed) {
        throw problem(place + "/required", "names of properties", name);
      }
      declared.computeIfAbsent(name, key -> others == null ? JSON.createObjectNode() : others);
    }
    if (declared.size() > MOST_PROPERTIES) {
      throw problem(place, "at most %d properties".formatted(MOST_PROPERTIES), declared.size());
    }
    if (declared.isEmpty() && !closed) {
      return map(others == null ? anything : value(others, place + "/additionalProperties"));
    }
    List<Property> parts = new ArrayList<>();
    declared.forEach(
        (name, value) ->
            parts.add(
                new Property(
                    Nodes.sequence(
                        Nodes.text(JSON.getNodeFactory().textNode(name) + ":"),
                        Nodes.SPACE,
                        value(value, place + "/properties/" + name)),
                    required.contains(name))));
    return Nodes.sequence(Nodes.text("{"), Nodes.SPACE, list(parts), Nodes.SPACE, Nodes.text("}"));
  }

  private static Set<String> required(JsonNode schema, String place) {
    Set<String> required = new LinkedHashSet<>();
    JsonNode names = schema.get("required");
    if (names != null && !names.isArray()) {
      throw problem(place + "/required", "a list of names", names);
    }
    for (JsonNode name : names == null ? List.<JsonNode>of() : names) {
      if (!name.isTextual()) {
        throw problem(place + "/required", "names", name);
      }
      required.add(name.textValue());
    }
    return required;
  }

  /** Properties in order, optional ones or not, with commas between those that are there. */
  private static Node list(List<Property> properties) {
    Node first = Node.EMPTY; // from here on, where none has come before
    Node further = Node.EMPTY; // where one has
    for (Property property : properties.reversed()) {
      Node begun = Nodes.sequence(property.node, further);
      first = property.required ? begun : Nodes.choice(begun, first);
      Node more = Nodes.sequence(Nodes.text(","), Nodes.SPACE, property.node);
      Node there = property.required ? more : Nodes.choice(more, Node.EMPTY);
      further = Nodes.sequence(there, further);
    }
    return first;
  }

  /** An object of properties with any names. */
  private static Node map(Node value) {
    Node property =
        Nodes.sequence(Nodes.string(0, Node.Repeat.UNBOUNDED), Nodes.text(":"), Nodes.SPACE, value);
    Node more = Nodes.sequence(Nodes.text(","), Nodes.SPACE, property);
    Node all = Nodes.sequence(property, new Node.Repeat(more, 0, Node.Repeat.UNBOUNDED));
    return Nodes.sequence(
        Nodes.text("{"), Nodes.SPACE, Nodes.choice(Node.EMPTY, all), Nodes.SPACE, Nodes.text("}"));
  }
}
