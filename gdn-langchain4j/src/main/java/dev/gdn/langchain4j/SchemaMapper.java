package dev.gdn.langchain4j;

import dev.langchain4j.exception.UnsupportedFeatureException;
import dev.langchain4j.model.chat.request.json.JsonAnyOfSchema;
import dev.langchain4j.model.chat.request.json.JsonArraySchema;
import dev.langchain4j.model.chat.request.json.JsonBooleanSchema;
import dev.langchain4j.model.chat.request.json.JsonEnumSchema;
import dev.langchain4j.model.chat.request.json.JsonIntegerSchema;
import dev.langchain4j.model.chat.request.json.JsonNullSchema;
import dev.langchain4j.model.chat.request.json.JsonNumberSchema;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.model.chat.request.json.JsonRawSchema;
import dev.langchain4j.model.chat.request.json.JsonReferenceSchema;
import dev.langchain4j.model.chat.request.json.JsonSchemaElement;
import dev.langchain4j.model.chat.request.json.JsonStringSchema;
import java.util.LinkedHashMap;
import java.util.Map;

/** The framework's JSON schemas as the maps that they are in JSON. */
final class SchemaMapper {
  private SchemaMapper() {}

  /**
   * A schema as a map.
   *
   * @throws UnsupportedFeatureException if it has a kind that is not known here
   * @throws IllegalArgumentException if a raw schema is no JSON object
   */
  static Map<String, Object> map(JsonSchemaElement element) {
    if (element instanceof JsonRawSchema raw) {
      return Json.object(raw.schema(), "schema");
    }
    Map<String, Object> schema = new LinkedHashMap<>();
    switch (element) {
      case JsonObjectSchema object -> putObject(object, schema);
      case JsonArraySchema array -> {
        schema.put("type", "array");
        if (array.items() != null) {
          schema.put("items", map(array.items()));
        }
      }
      case JsonEnumSchema values -> {
        schema.put("type", "string");
        schema.put("enum", values.enumValues());
      }
      case JsonAnyOfSchema any ->
          schema.put("anyOf", any.anyOf().stream().map(SchemaMapper::map).toList());
      case JsonReferenceSchema reference -> schema.put("$ref", "#/$defs/" + reference.reference());
      case JsonStringSchema text -> schema.put("type", "string");
      case JsonIntegerSchema integer -> schema.put("type", "integer");
      case JsonNumberSchema number -> schema.put("type", "number");
      case JsonBooleanSchema truth -> schema.put("type", "boolean");
      case JsonNullSchema nothing -> schema.put("type", "null");
      default ->
          throw new UnsupportedFeatureException(
              "a schema of type %s is not supported".formatted(element.getClass().getName()));
    }
    if (element.description() != null) {
      schema.put("description", element.description());
    }
    return schema;
  }

  private static void putObject(JsonObjectSchema object, Map<String, Object> schema) {
    schema.put("type", "object");
    schema.put("properties", mapAll(object.properties()));
    if (object.required() != null && !object.required().isEmpty()) {
      schema.put("required", object.required());
    }
    if (object.additionalProperties() != null) {
      schema.put("additionalProperties", object.additionalProperties());
    }
    if (object.definitions() != null && !object.definitions().isEmpty()) {
      schema.put("$defs", mapAll(object.definitions()));
    }
  }

  private static Map<String, Object> mapAll(Map<String, JsonSchemaElement> elements) {
    Map<String, Object> schemas = new LinkedHashMap<>();
    elements.forEach((name, element) -> schemas.put(name, map(element)));
    return schemas;
  }
}
