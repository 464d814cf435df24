package dev.gdn.model.schema;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Random;

/** Makes up schemas of what is supported. */
final class RandomSchemas {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final List<String> NAMES =
      List.of("a", "name", "a b", "größe", "\"quoted\"", "tab\there", "日本", "");

  private final Random random;

  RandomSchemas(long seed) {
    random = new Random(seed);
  }

  /** A schema with definitions that others refer to, themselves included. */
  ObjectNode next() {
    ObjectNode root = schema(0);
    ObjectNode definitions = root.putObject("$defs");
    definitions.set("leaf", schema(3));
    // A tree: refers to itself where it may be left out.
    ObjectNode tree = definitions.putObject("tree");
    tree.put("type", "object");
    ObjectNode properties = tree.putObject("properties");
    properties.putObject("value").put("$ref", "#/$defs/leaf");
    properties
        .putObject("children")
        .put("type", "array")
        .put("maxItems", 1)
        .putObject("items")
        .put("$ref", "#/$defs/tree");
    tree.putArray("required").add("value");
    tree.put("additionalProperties", false);
    return root;
  }

  private ObjectNode schema(int depth) {
    ObjectNode schema = MAPPER.createObjectNode();
    int kinds = depth < 3 ? 16 : 12;
    switch (random.nextInt(kinds)) {
      case 0 -> schema.put("type", "integer");
      case 1 -> schema.put("type", "number");
      case 2 -> schema.put("type", "boolean");
      case 3 -> {
        int min = random.nextInt(3);
        schema
            .put("type", "string")
            .put("minLength", min)
            .put("maxLength", min + random.nextInt(6));
      }
      case 4 -> {
        ArrayNode values = schema.putArray("enum");
        values.add("ab").add("a\nc").add(1.5).add(7).addNull().addObject().put("k", "v");
      }
      case 5 -> schema.put("const", NAMES.get(random.nextInt(NAMES.size())));
      case 6 -> schema.putArray("type").add("null").add("string").add("integer");
      case 7 -> schema.put("type", "string").put("pattern", "^[A-Zß🙂]{2}\\d{1,3}( [^a\"]{0,3})?$");
      case 8 -> {
        int min = random.nextInt(-300, 300);
        schema.put("type", "integer").put("minimum", min);
        schema.put("exclusiveMaximum", min + 1 + random.nextInt(2000));
      }
      case 9 -> {
        double min = random.nextInt(-300, 300) / 8.0;
        schema.put("type", "number").put("exclusiveMinimum", min);
        schema.put("maximum", min + random.nextInt(1, 100) / 4.0);
      }
      case 10 -> {
        ArrayNode parts = schema.putArray("allOf");
        parts.addObject().put("type", "string").put("maxLength", 9);
        parts.addObject().put("minLength", 2).put("maxLength", 4);
      }
      case 11 -> {
        ArrayNode options = schema.putArray("oneOf");
        options.addObject().put("type", "boolean");
        options.addObject().put("const", "x");
        options.addObject().putArray("enum").add("y").add(2);
      }
      case 12 -> object(schema, depth);
      case 13 -> {
        int min = random.nextInt(3);
        schema.put("type", "array").put("minItems", min).put("maxItems", min + random.nextInt(3));
        schema.set("items", schema(depth + 1));
      }
      case 14 -> {
        ArrayNode options = schema.putArray("anyOf");
        for (int i = random.nextInt(3); i >= 0; i--) {
          options.add(schema(depth + 1));
        }
      }
      default -> schema.put("$ref", random.nextBoolean() ? "#/$defs/leaf" : "#/$defs/tree");
    }
    return schema;
  }

  private void object(ObjectNode schema, int depth) {
    schema.put("type", "object");
    ObjectNode properties = schema.putObject("properties");
    ArrayNode required = schema.putArray("required");
    for (int i = random.nextInt(4); i >= 0; i--) {
      String name = NAMES.get(random.nextInt(NAMES.size()));
      if (!properties.has(name)) {
        properties.set(name, schema(depth + 1));
        if (random.nextBoolean()) {
          required.add(name);
        }
      }
    }
    if (random.nextBoolean()) {
      schema.put("additionalProperties", false);
    }
  }
}
