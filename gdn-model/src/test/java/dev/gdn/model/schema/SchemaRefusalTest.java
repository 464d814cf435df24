package dev.gdn.model.schema;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** What is no schema, or asks for more than is supported, is refused by name. */
class SchemaRefusalTest {
  @Test
  void whatIsNotSupportedIsRefusedByItsName() {
    assertRefused(
        "{\"properties\":{\"n\":{\"type\":\"integer\",\"multipleOf\":2}}}",
        "schema/properties/n: keyword \"multipleOf\"");
    assertRefused(
        "{\"type\":\"string\",\"pattern\":\"a\",\"maxLength\":3}",
        "\"maxLength\"",
        "beside pattern");
    assertRefused("{\"type\":\"string\",\"pattern\":\"(?=a)\"}", "schema/pattern", "assertion");
    assertRefused("{\"not\":{}}", "\"not\"");
    assertRefused("{\"if\":{}}", "\"if\"");
    assertRefused("{\"type\":\"array\",\"uniqueItems\":true}", "\"uniqueItems\"");
    assertRefused("{\"anyOf\":[{}],\"type\":\"string\"}", "\"type\"", "beside anyOf");
    assertRefused("{\"enum\":[\"a\"],\"minLength\":1}", "\"minLength\"", "beside enum");
    assertRefused("{\"$ref\":\"other.json\"}", "schema/$ref", "other.json");
    assertRefused("{\"$ref\":\"#/%\"}", "schema/$ref", "hexadecimal");
    assertRefused("{\"$ref\":\"#/$defs/none\"}", "schema/$ref", "#/$defs/none");
  }

  @Test
  void whatIsSupportedInsteadIsListed() {
    assertRefused(
        "{\"type\":\"string\",\"contentEncoding\":\"base64\"}",
        "schema: keyword \"contentEncoding\" is not supported for type string;"
            + " expected maxLength, minLength, pattern, type, or an annotation such as title");
    assertRefused(
        "{\"const\":1,\"not\":{}}",
        "\"not\" is not supported beside const; expected const, type, or an annotation such as"
            + " title");
    assertRefused(
        "{\"if\":{}}",
        "schema: keyword \"if\" is not supported; expected $ref, additionalProperties, allOf,"
            + " anyOf, const, enum, exclusiveMaximum, exclusiveMinimum, items, maxItems, maxLength,"
            + " maximum, minItems, minLength, minimum, oneOf, pattern, prefixItems, properties,"
            + " required, type, or an annotation such as title");
  }

  @Test
  void schemasThatAreNoneAreRefused() {
    assertRefused("", "schema");
    assertRefused("{", "schema");
    assertRefused("[]", "expected an object");
    assertRefused("{\"type\":\"text\"}", "schema/type", "text");
    assertRefused("{\"enum\":[]}", "schema/enum");
    assertRefused("{\"anyOf\":3}", "schema/anyOf");
    assertRefused("{\"type\":\"string\",\"minLength\":-1}", "schema/minLength");
    assertRefused("{\"type\":\"string\",\"minLength\":3,\"maxLength\":2}", "schema/minLength");
    assertRefused("{\"type\":\"string\",\"const\":1}", "type string");
    assertRefused("{\"required\":[\"a\"],\"additionalProperties\":false}", "schema/required");
    assertRefused("[".repeat(100_000), "schema");
  }

  /** Expects a refusal that says all of something. */
  static void assertRefused(String schema, String... said) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> SchemaCompiler.compile(schema))
            .getMessage();
    for (String part : said) {
      assertTrue(message.contains(part), message);
    }
  }
}
