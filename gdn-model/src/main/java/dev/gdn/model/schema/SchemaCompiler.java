package dev.gdn.model.schema;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gdn.model.json.JsonProblem;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Makes a grammar of a JSON schema. */
final class SchemaCompiler {
  private static final int DEPTH = 100;
  private static final int MOST_PROPERTIES = 1000;
  private static final int MOST_REFERENCES = 2000;

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

  static final Set<String> ANNOTATIONS =
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
          "string", Set.of("minLength", "maxLength", "pattern"),
          "integer", NumberLimits.KEYWORDS,
          "number", NumberLimits.KEYWORDS,
          "boolean", Set.of(),
          "null", Set.of());

  /** What says all of a schema by itself. */
  private static final List<String> SINGLE = List.of("$ref", "anyOf", "oneOf", "const", "enum");

  private final SchemaReferences schemas;
  private final SchemaParts parts;
  // By pointer, or by the one schema that allOf makes.
  private final Map<JsonNode, Node.Reference> references = new HashMap<>();
  // References whose targets are still to be made: schemas may lead on and on.
  private final Deque<Runnable> open = new ArrayDeque<>();
  private final Node.Reference anything = new Node.Reference();

  private SchemaCompiler(JsonNode root) {
    schemas = new SchemaReferences(root);
    parts = new SchemaParts(schemas);
    anything.target =
        Nodes.choice(
            ObjectGrammar.map(anything),
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
    if (root.isMissingNode()) {
      throw SchemaProblem.of("", "JSON", "nothing");
    }
    SchemaCompiler compiler = new SchemaCompiler(root);
    Node grammar = compiler.reference(JSON.getNodeFactory().textNode("#"), "");
    while (!compiler.open.isEmpty()) {
      compiler.open.remove().run();
    }
    GrammarCheck.check(grammar);
    return grammar;
  }

  private Node value(JsonNode schema, String place) {
    if (schema.isBoolean() && schema.booleanValue()) {
      return anything;
    }
    if (!schema.isObject()) {
      throw SchemaProblem.of(place, "an object", schema);
    }
    if (schema.has("allOf")) {
      ObjectNode merged = parts.merged((ObjectNode) schema, place);
      return reference(merged, merged, place);
    }
    for (String single : SINGLE) {
      if (schema.has(single)) {
        return single(single, schema, place);
      }
    }
    Set<String> types = types(schema, place);
    boolean any = types.size() == KEYWORDS.size();
    Set<String> known = new HashSet<>(Set.of("type"));
    types.forEach(type -> known.addAll(KEYWORDS.get(type)));
    if (any) {
      known.add("allOf");
      known.addAll(SINGLE);
    }
    requireKnown(schema, known, place, any ? "" : "for type " + String.join(" or ", types));
    return any
        ? anything
        : new Node.Choice(types.stream().map(type -> typed(type, schema, place)).toList());
  }

  private static void requireKnown(
      JsonNode schema, Set<String> known, String place, String circumstance) {
    schema
        .fieldNames()
        .forEachRemaining(
            keyword -> {
              if (!known.contains(keyword) && !ANNOTATIONS.contains(keyword)) {
                throw SchemaProblem.keyword(place, keyword, circumstance, known);
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
    return JsonTypes.named(type, place);
  }

  /** A schema that one keyword says all of. */
  private Node single(String keyword, JsonNode schema, String place) {
    Set<String> known = new HashSet<>(Set.of(keyword));
    boolean listed = keyword.equals("const") || keyword.equals("enum");
    if (listed) {
      known.add("type");
    }
    requireKnown(schema, known, place, "beside " + keyword);
    JsonNode value = schema.get(keyword);
    String at = place + "/" + keyword;
    return switch (keyword) {
      case "$ref" -> reference(value, at);
      case "anyOf", "oneOf" -> {
        requireArray(value, at);
        if (keyword.equals("oneOf")) {
          parts.requireExclusive(value, at);
        }
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

  static void requireArray(JsonNode value, String place) {
    if (!value.isArray() || value.isEmpty()) {
      throw SchemaProblem.of(place, "a list with at least one entry", value);
    }
  }

  private Node literals(Iterable<JsonNode> values, JsonNode schema, String place) {
    Set<String> types = types(schema, place);
    List<Node> literals = new ArrayList<>();
    for (JsonNode value : values) {
      if (types.stream().anyMatch(type -> JsonTypes.isOf(type, value))) {
        literals.add(Nodes.text(value.toString()));
      }
    }
    if (literals.isEmpty()) {
      throw SchemaProblem.of(place, "a value of type " + String.join(" or ", types), values);
    }
    return new Node.Choice(literals);
  }

  private Node typed(String type, JsonNode schema, String place) {
    return switch (type) {
      case "object" -> object(schema, place);
      case "array" -> array(schema, place);
      case "string" -> string(schema, place);
      case "integer" -> NumberLimits.grammar(true, schema, place);
      case "number" -> NumberLimits.grammar(false, schema, place);
      case "boolean" -> Nodes.choice(Nodes.text("true"), Nodes.text("false"));
      default -> Nodes.text("null");
    };
  }

  private Node reference(JsonNode pointer, String place) {
    return reference(pointer, schemas.target(pointer, place), pointer.asText().substring(1));
  }

  private Node reference(JsonNode key, JsonNode target, String targetPlace) {
    Node.Reference known = references.get(key);
    if (known != null) {
      return known;
    }
    if (references.size() == MOST_REFERENCES) {
      throw SchemaProblem.of(
          targetPlace, "at most %d schemas in $ref and allOf".formatted(MOST_REFERENCES), "more");
    }
    Node.Reference reference = new Node.Reference();
    references.put(key, reference);
    open.add(() -> reference.target = value(target, targetPlace));
    return reference;
  }

  private static Node string(JsonNode schema, String place) {
    JsonNode pattern = schema.get("pattern");
    if (pattern != null) {
      for (String other : List.of("minLength", "maxLength")) {
        if (schema.has(other)) {
          throw SchemaProblem.keyword(place, other, "beside pattern");
        }
      }
      if (!pattern.isTextual()) {
        throw SchemaProblem.of(place + "/pattern", "text", pattern);
      }
      return PatternCompiler.string(pattern.textValue(), place + "/pattern");
    }
    int min = count(schema, "minLength", 0, place);
    int max = count(schema, "maxLength", Node.Repeat.UNBOUNDED, place);
    requireOrder(min, max, place, "Length");
    return Nodes.string(min, max);
  }

  private static int count(JsonNode schema, String keyword, int otherwise, String place) {
    JsonNode value = schema.get(keyword);
    if (value == null) {
      return otherwise;
    }
    if (!JsonTypes.isOf("integer", value) || !value.canConvertToInt() || value.intValue() < 0) {
      throw SchemaProblem.of(place + "/" + keyword, "an integer of at least 0", value);
    }
    return value.intValue();
  }

  private static void requireOrder(int min, int max, String place, String what) {
    if (min > max) {
      throw SchemaProblem.of(place + "/min" + what, "at most max%s, %d".formatted(what, max), min);
    }
  }

  private Node array(JsonNode schema, String place) {
    int min = count(schema, "minItems", 0, place);
    int max = count(schema, "maxItems", Node.Repeat.UNBOUNDED, place);
    requireOrder(min, max, place, "Items");
    JsonNode items = schema.get("items");
    boolean closed = items != null && items.isBoolean() && !items.booleanValue();
    JsonNode prefix = schema.get("prefixItems");
    if (prefix != null) {
      requireArray(prefix, place + "/prefixItems");
      if (!closed || min > prefix.size() || max < prefix.size()) {
        throw SchemaProblem.of(
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
      if (min > 0) {
        throw SchemaProblem.of(place + "/minItems", "0, as items is false", min);
      }
      return Nodes.array(anything, 0, 0);
    }
    Node item = items == null ? anything : value(items, place + "/items");
    return Nodes.array(item, min, max);
  }

  private Node object(JsonNode schema, String place) {
    Map<String, JsonNode> declared = new LinkedHashMap<>();
    JsonNode properties = schema.path("properties");
    if (schema.has("properties") && !properties.isObject()) {
      throw SchemaProblem.of(place + "/properties", "an object", properties);
    }
    properties.properties().forEach(entry -> declared.put(entry.getKey(), entry.getValue()));
    JsonNode others = schema.get("additionalProperties");
    boolean closed = others != null && others.isBoolean() && !others.booleanValue();
    Set<String> required = required(schema, place);
    for (String name : required) {
      if (!declared.containsKey(name) && closed) {
        throw SchemaProblem.of(place + "/required", "names of properties", name);
      }
      declared.computeIfAbsent(name, key -> others == null ? JSON.createObjectNode() : others);
    }
    if (declared.size() > MOST_PROPERTIES) {
      throw SchemaProblem.of(
          place, "at most %d properties".formatted(MOST_PROPERTIES), declared.size());
    }
    if (declared.isEmpty() && !closed) {
      return ObjectGrammar.map(
          others == null ? anything : value(others, place + "/additionalProperties"));
    }
    List<ObjectGrammar.Property> parts = new ArrayList<>();
    declared.forEach(
        (name, value) ->
            parts.add(
                new ObjectGrammar.Property(
                    Nodes.sequence(
                        Nodes.text(JSON.getNodeFactory().textNode(name) + ":"),
                        Nodes.SPACE,
                        value(value, place + "/properties/" + name)),
                    required.contains(name))));
    return ObjectGrammar.of(parts);
  }

  private static Set<String> required(JsonNode schema, String place) {
    Set<String> required = new LinkedHashSet<>();
    JsonNode names = schema.get("required");
    if (names != null && !names.isArray()) {
      throw SchemaProblem.of(place + "/required", "a list of names", names);
    }
    for (JsonNode name : names == null ? List.<JsonNode>of() : names) {
      if (!name.isTextual()) {
        throw SchemaProblem.of(place + "/required", "names", name);
      }
      required.add(name.textValue());
    }
    return required;
  }
}
