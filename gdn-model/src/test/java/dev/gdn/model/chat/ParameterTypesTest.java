package dev.gdn.model.chat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ParameterTypesTest {
  /** A schema of one parameter, x. */
  private static ParameterTypes types(String parameter) {
    String schema =
        "{\"properties\": {\"x\": %s}, \"$defs\": {\"Day\": {\"type\": \"integer\"}}}"
            .formatted(parameter);
    try {
      return new ParameterTypes(new ObjectMapper().readValue(schema, new TypeReference<>() {}));
    } catch (IOException e) {
      throw new IllegalArgumentException(schema, e);
    }
  }

  private static Object written(String parameter, String text) {
    return types(parameter).typed("x", new ParameterTypes.Written(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"02134", "1e5", "true", "null", "None", "[1]", "{}", " a ", "", "3"})
  void stringsStayStrings(String text) {
    assertEquals(text, written("{\"type\": \"string\"}", text));
    assertEquals(text, written("{\"enum\": [\"a\", \"b\"]}", text));
    assertEquals(text, written("{}", text), "a parameter without a type");
    assertEquals(text, types("{}").typed("y", new ParameterTypes.Written(text)), "an unknown one");
  }

  @Test
  void otherTypesAreRead() {
    assertEquals(12L, written("{\"type\": \"integer\"}", " 12\n"));
    assertEquals(2L, written("{\"type\": \"integer\"}", "2.0"));
    assertEquals(
        new BigInteger("9".repeat(30)), written("{\"type\": \"integer\"}", "9".repeat(30)));
    assertEquals(100000.0, written("{\"type\": \"number\"}", "1e5"));
    assertEquals(-2.5, written("{\"type\": \"number\"}", "-2.5"));
    assertEquals(3L, written("{\"type\": \"number\"}", "3"));
    assertEquals(true, written("{\"type\": \"boolean\"}", "true"));
    assertEquals(false, written("{\"type\": \"boolean\"}", "False"));
    assertEquals(Arrays.asList(1, "a", null), written("{\"type\": \"array\"}", "[1, \"a\", null]"));
    assertEquals(Map.of("a", List.of()), written("{\"type\": \"object\"}", "{\"a\": []}"));
    assertEquals(7L, written("{\"$ref\": \"#/$defs/Day\"}", "7"));
  }

  @Test
  void oneOfSeveralTypesIsTheOneThatFits() {
    String optional = "{\"anyOf\": [{\"type\": \"integer\"}, {\"type\": \"null\"}]}";
    assertEquals(null, written(optional, "null"));
    assertEquals(null, written(optional, "None"));
    assertEquals(5L, written(optional, "5"));
    String either = "{\"type\": [\"integer\", \"string\"]}";
    assertEquals(5L, written(either, "5"));
    assertEquals("02134", written(either, "02134"));
    assertEquals("1e5x", written(either, "1e5x"));
    String day = "{\"oneOf\": [{\"$ref\": \"#/$defs/Day\"}, {\"type\": \"boolean\"}]}";
    assertEquals(true, written(day, "true"));
    assertEquals("null", written("{\"type\": \"string\", \"nullable\": false}", "null"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"soon", "02", "1.5", "", "true", "[1]", "0x10", "１"})
  void textOfNoTypeAllowedIsRefused(String text) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> written("{\"type\": \"integer\"}", text))
            .getMessage();
    assertTrue(message.startsWith("parameter x: expected integer, found " + text), message);
  }

  @Test
  void valuesOfJsonFollowTheSchemaToo() {
    assertEquals("3", types("{\"type\": \"string\"}").typed("x", 3));
    assertEquals(3L, types("{\"type\": \"integer\"}").typed("x", "3"));
    assertEquals(3, types("{\"type\": \"number\"}").typed("x", 3));
    assertEquals("a", types("{}").typed("x", "a"));
    assertThrows(
        IllegalArgumentException.class,
        () -> types("{\"type\": \"string\"}").typed("x", List.of(1)));
  }

  /** An infinity would be no JSON. */
  @Test
  void aNumberThatNoDoubleHoldsIsRefused() {
    assertEquals(1e308, written("{\"type\": \"number\"}", "1.0e308"));
    String message =
        assertThrows(
                IllegalArgumentException.class, () -> written("{\"type\": \"number\"}", "-1.5e999"))
            .getMessage();
    assertEquals("parameter x: expected number, found -1.5e999", message);
    assertEquals("1.5e999", written("{\"type\": [\"number\", \"string\"]}", "1.5e999"));
  }

  @Test
  void typesMayBeSaidByValuesAndInAllOf() {
    assertEquals(5L, written("{\"enum\": [5, 2.5, null, true, [1], {}]}", "5"));
    assertEquals(2.5, written("{\"const\": 0.5}", "2.5"));
    assertEquals(false, written("{\"enum\": [true]}", "false"));
    assertEquals(List.of(1), written("{\"const\": []}", "[1]"));
    assertEquals(Map.of(), written("{\"const\": {}}", "{}"));
    assertEquals(3L, written("{\"allOf\": [{\"type\": \"integer\"}]}", "3"));
    assertEquals(null, written("{\"type\": \"integer\", \"nullable\": true}", "null"));
    assertEquals("null", written("{\"nullable\": true}", "null"), "any type, so no null alone");
    assertEquals("7", written("{\"$ref\": \"other.json#/Day\"}", "7"), "not in this schema");
    assertEquals("7", written("{\"$ref\": \"#/$defs/None/at\"}", "7"), "nowhere");
  }

  @Test
  void jsonOfAnotherTypeThanTheParameterHasIsRefused() {
    for (String text : new String[] {"[1", "[1] x", "{\"a\":1,\"a\":2}", "[1]", "3"}) {
      assertThrows(
          IllegalArgumentException.class, () -> written("{\"type\": \"object\"}", text), text);
    }
    String long1 = "y".repeat(61);
    String message =
        assertThrows(
                IllegalArgumentException.class,
                () -> written("{\"type\": [\"array\", \"null\"]}", long1))
            .getMessage();
    assertEquals("parameter x: expected null or array, found " + "y".repeat(60) + "…", message);
    assertEquals(
        "parameter x: expected array, found " + "y".repeat(60),
        assertThrows(
                IllegalArgumentException.class,
                () -> written("{\"type\": \"array\"}", "y".repeat(60)))
            .getMessage());
  }

  @Test
  void referencesInACircleEnd() {
    String circle = "{\"$ref\": \"#/properties/x\"}";
    assertEquals("text", written(circle, "text"));
    String wide = "{\"anyOf\": [%s, %s]}".formatted(circle, circle);
    assertEquals("text", written(wide, "text"));
  }
}
