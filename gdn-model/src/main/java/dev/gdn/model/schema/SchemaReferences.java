package dev.gdn.model.schema;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;

/**
 * Finds what {@code $ref} points to, within a schema.
 *
 * @param root all of the schema
 */
record SchemaReferences(JsonNode root) {
  /**
   * The schema at a pointer.
   *
   * @param place of the reference
   * @throws IllegalArgumentException if there is none
   */
  JsonNode target(JsonNode reference, String place) {
    String pointer = reference.asText();
    boolean local = pointer.equals("#") || pointer.startsWith("#/");
    JsonNode target =
        !local
            ? null
            : pointer.equals("#") ? root : root.at(unescaped(pointer.substring(1), place));
    if (target == null || target.isMissingNode()) {
      throw SchemaProblem.of(place, "a place within the schema, such as #/$defs/name", reference);
    }
    return target;
  }

  private static String unescaped(String fragment, String place) {
    try {
      return URLDecoder.decode(fragment.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw SchemaProblem.of(place, "a pointer with % and two hexadecimal digits", fragment);
    }
  }
}
