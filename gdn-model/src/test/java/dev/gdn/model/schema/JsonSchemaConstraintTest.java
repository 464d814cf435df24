package dev.gdn.model.schema;

import static dev.gdn.model.schema.SchemaRefusalTest.assertRefused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import dev.gdn.model.generation.Constraint;
import dev.gdn.model.generation.Sampler;
import dev.gdn.model.generation.SamplingOptions;
import dev.gdn.model.tokenizer.Tokenizer;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class JsonSchemaConstraintTest {
  private static final ObjectMapper MAPPER =
      JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();
  private static final JsonSchemaFactory VALIDATORS =
      JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012);
  private static final int END = -1;

  /** How many random tokens to take before the text is led to its end. */
  private static final int WILD = 60;

  private static final int LONGEST = 3000;

  private static final Tokenizer DEMO = tokenizer("demo.json");
  private static final Tokenizer QWEN3 = tokenizer("qwen3-reduced.json");

  private static Tokenizer tokenizer(String name) {
    try {
      return Tokenizer.read(
          Path.of(Objects.requireNonNull(Tokenizer.class.getResource(name), name).toURI()));
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void randomLogitsAlwaysGiveJsonThatIsValid() throws JsonProcessingException {
    for (Tokenizer tokenizer : List.of(DEMO, QWEN3)) {
      TokenTrie vocabulary = TokenTrie.of(tokenizer);
      RandomSchemas schemas = new RandomSchemas(1);
      for (int seed = 0; seed < 150; seed++) {
        ObjectNode schema = schemas.next();
        String text =
            generate(JsonSchemaConstraint.of(schema.toString(), vocabulary), tokenizer, seed);
        assertValid(schema, text);
      }
    }
  }

  @Test
  void anyJsonIsValidWhereTheSchemaSaysNothing() throws JsonProcessingException {
    TokenTrie vocabulary = TokenTrie.of(QWEN3);
    for (String schema : List.of("{}", "true", "{\"type\": \"object\"}", "{\"items\": {}}")) {
      JsonSchemaConstraint constraint = JsonSchemaConstraint.of(schema, vocabulary);
      for (int seed = 0; seed < 20; seed++) {
        assertValid(MAPPER.readTree(schema), generate(constraint, QWEN3, seed));
      }
    }
  }

  private static void assertValid(JsonNode schema, String text) throws JsonProcessingException {
    JsonNode value = MAPPER.readTree(text);
    JsonSchema validator = VALIDATORS.getSchema(schema);
    assertEquals("[]", validator.validate(value).toString(), () -> text + " by " + schema);
  }

  /** Draws from random logits, from some length on from those that like to end things. */
  private static String generate(JsonSchemaConstraint constraint, Tokenizer tokenizer, long seed) {
    Random random = new Random(seed);
    Sampler sampler = new Sampler(SamplingOptions.defaults().withSeed(seed).withFilters(0, 1, 0));
    int end = tokenizer.vocabularySize(); // a stop id behind the vocabulary
    float[] logits = new float[end + 1];
    Constraint.Matcher matcher = constraint.begin();
    StringBuilder text = new StringBuilder();
    List<Integer> ids = new ArrayList<>();
    while (!matcher.isExhausted()) {
      assertTrue(ids.size() < LONGEST, () -> "no end: " + text);
      for (int i = 0; i < logits.length; i++) {
        logits[i] = random.nextFloat() * 6;
      }
      if (ids.size() > WILD) {
        logits[end] = 50;
        for (String closing : List.of("\"", "}", "]", "\"}", "\"]", "0", "a")) {
          for (int id : tokenizer.encode(closing)) {
            logits[id] += closing.length() == 1 && "0a".contains(closing) ? 10 : 30;
          }
        }
      }
      int id =
          matcher.isComplete()
              ? sampler.sample(logits, matcher.allowed(), end)
              : sampler.sample(logits, matcher.allowed());
      if (id == end) {
        break;
      }
      matcher.accept(id);
      ids.add(id);
    }
    return tokenizer.decode(ids.stream().mapToInt(Integer::intValue).toArray());
  }

  /** Whether a text is taken, byte by byte, whole or as a beginning. */
  private static String taken(String schema, String text) {
    Automaton automaton = new Automaton(SchemaCompiler.compile(schema));
    Automaton.State state = automaton.start();
    for (byte value : text.getBytes(StandardCharsets.UTF_8)) {
      state = automaton.step(state, value);
      if (state == Automaton.DEAD) {
        return "no";
      }
    }
    return state.isComplete() ? "whole" : "beginning";
  }

  @Test
  void jsonThatModelsWriteIsTaken() {
    String schema =
        """
        {"type": "object", "properties": {
          "name": {"type": "string"}, "age": {"type": "integer"},
          "tags": {"type": "array", "items": {"type": "string"}}},
         "required": ["name"]}\
        """;
    assertEquals("whole", taken(schema, "{\"name\":\"Ada\",\"age\":36,\"tags\":[]}"));
    assertEquals("whole", taken(schema, "{ \"name\": \"A\\u00e9\\n\", \"tags\": [\"a\", \"b\"] }"));
    assertEquals("whole", taken(schema, "{\n  \"name\": \"日本 🙂\",\n  \"age\": -1\n}"));
    assertEquals("beginning", taken(schema, "{\"name\": \"Ada\", \"ag"));
    assertEquals("no", taken(schema, "{\"age\": 36}"));
    assertEquals("no", taken(schema, "{\"name\": \"Ada\", \"age\": \"36\"}"));
    assertEquals("no", taken(schema, "{\"name\": \"Ada\", \"age\": 036}"));
    assertEquals("no", taken(schema, "{\"name\": \"Ada\", \"age\": 3.5}"));
    assertEquals("no", taken(schema, "{\"name\": \"\\ud83d\""));
    assertEquals("no", taken(schema, "{\"name\": \"a\u0001"));
    assertEquals("no", taken(schema, "[]"));
  }

  @Test
  void limitsHold() {
    assertEquals("beginning", taken("{\"type\":\"string\",\"minLength\":2}", "\"é"));
    assertEquals("no", taken("{\"type\":\"string\",\"minLength\":2}", "\"é\""));
    assertEquals("whole", taken("{\"type\":\"string\",\"minLength\":2}", "\"é\\n\""));
    assertEquals("no", taken("{\"type\":\"string\",\"maxLength\":2}", "\"abc"));
    String array =
        "{\"type\":\"array\",\"minItems\":1,\"maxItems\":2,\"items\":{\"type\":\"null\"}}";
    assertEquals("no", taken(array, "[]"));
    assertEquals("whole", taken(array, "[null]"));
    assertEquals("whole", taken(array, "[null, null]"));
    assertEquals("no", taken(array, "[null, null,"));
    String pair = "{\"prefixItems\":[{\"const\":1},{\"type\":\"boolean\"}],\"items\":false}";
    assertEquals("whole", taken(pair, "[1, true]"));
    assertEquals("no", taken(pair, "[1]"));
  }

  @Test
  void enumsAndTypesBothHold() {
    String schema = "{\"type\":[\"string\",\"integer\"],\"enum\":[\"a\",2,2.5,null]}";
    assertEquals("whole", taken(schema, "\"a\""));
    assertEquals("whole", taken(schema, "2"));
    assertEquals("no", taken(schema, "2.5"));
    assertEquals("no", taken(schema, "null"));
  }

  @Test
  void numbersHaveLimits() {
    String percent = "{\"type\":\"integer\",\"minimum\":0,\"exclusiveMaximum\":100}";
    for (String value : List.of("0", "7", "99")) {
      assertEquals("whole", taken(percent, value));
    }
    for (String value : List.of("100", "-1", "007", "-0")) {
      assertEquals("no", taken(percent, value));
    }
    String ratio = "{\"type\":\"number\",\"exclusiveMinimum\":0,\"minimum\":-5,\"maximum\":1.5}";
    for (String value : List.of("0.001", "1", "1.5", "1.49")) {
      assertEquals("whole", taken(ratio, value));
    }
    for (String value : List.of("0.", "1.51", "2", "-1", "1e9")) {
      assertNotEquals("whole", taken(ratio, value));
    }
    assertRefused(
        "{\"type\":\"integer\",\"minimum\":2,\"maximum\":1}",
        "expected an integer of at most 18 digits between the limits, found minimum 2, maximum 1");
    assertRefused(
        "{\"minLength\":5,\"maxLength\":3}",
        "schema/minLength: expected at most maxLength, 3, found 5");
    assertRefused(
        "{\"minItems\":5,\"maxItems\":3}",
        "schema/minItems: expected at most maxItems, 3, found 5");
    assertRefused("{\"type\":\"integer\",\"minimum\":1.1,\"maximum\":1.9}", "limits");
    assertRefused("{\"type\":\"integer\",\"minimum\":\"1\"}", "schema/minimum", "a number");
    assertRefused("{\"type\":\"number\",\"maximum\":1e999}", "schema/maximum", "a number");
    assertRefused("{\"type\":\"number\",\"maximum\":1e-999}", "schema/maximum", "decimal places");
  }

  @Test
  void partsOfAllOfHoldTogether() {
    String schema =
        """
        {"$defs": {"named": {"type": "object", "properties": {"name": {"type": "string"}},
                             "required": ["name"]}},
         "allOf": [{"$ref": "#/$defs/named"},
                   {"properties": {"name": {"maxLength": 3}, "age": {"type": "integer"}}}],
         "required": ["age"], "description": "both"}\
        """;
    assertEquals("whole", taken(schema, "{\"name\": \"Ada\", \"age\": 3}"));
    assertEquals("no", taken(schema, "{\"name\": \"Adam"));
    assertEquals("no", taken(schema, "{\"name\": \"Ada\"}"));
    String number =
        "{\"type\":\"number\",\"allOf\":[{\"type\":\"integer\",\"minimum\":3},{\"minimum\":5}]}";
    assertEquals("whole", taken(number, "5"));
    assertNotEquals("whole", taken(number, "4"));
    assertEquals(
        "whole",
        taken("{\"allOf\":[{\"$ref\":\"#/$defs/a\"}],\"$defs\":{\"a\":{\"const\":1}}}", "1"));
    assertRefused(
        "{\"allOf\":[{\"type\":\"string\"},{\"type\":\"null\"}]}", "schema/type", "all parts");
    assertRefused(
        "{\"allOf\":[{\"pattern\":\"a\"},{\"pattern\":\"b\"}]}",
        "\"pattern\"",
        "two parts of allOf");
    assertRefused(
        "{\"allOf\":[{\"required\":[\"a\"]},{\"additionalProperties\":false}]}",
        "\"additionalProperties\"",
        "a part of allOf");
    assertRefused(
        "{\"allOf\":[{\"$ref\":\"#\"}]}", "schema/allOf/0/$ref: expected", "no part of itself");
    assertRefused("{\"allOf\":[]}", "schema/allOf");
    assertRefused("{\"allOf\":[{\"not\":{}}]}", "\"not\"");
  }

  @Test
  void alternativesOfOneOfExcludeEachOther() {
    String shapes =
        """
        {"$defs": {"circle": {"type": "object", "properties": {
            "kind": {"const": "circle"}, "r": {"type": "number"}}, "required": ["kind", "r"]}},
         "oneOf": [{"$ref": "#/$defs/circle"},
           {"type": "object", "properties": {"kind": {"enum": ["square", "box"]}},
            "required": ["kind"]},
           {"type": "null"}, {"const": 4}, {"enum": ["a", 5]}]}\
        """;
    assertEquals("whole", taken(shapes, "{\"kind\": \"circle\", \"r\": 1.5}"));
    assertEquals("whole", taken(shapes, "{\"kind\": \"box\"}"));
    assertEquals("no", taken(shapes, "{\"kind\": \"circle\"}"));
    assertEquals("whole", taken(shapes, "null"));
    assertEquals("whole", taken(shapes, "5"));
    assertRefused(
        "{\"oneOf\":[{\"type\":\"number\"},{\"type\":\"integer\"}]}", "schema/oneOf", "0 and 1");
    assertRefused("{\"oneOf\":[{\"type\":\"string\"},{}]}", "exclude each other");
    assertRefused("{\"oneOf\":[{\"enum\":[1,2]},{\"const\":2.0}]}", "exclude each other");
    assertRefused(
        "{\"oneOf\":[{\"type\":\"object\",\"properties\":{\"k\":{\"const\":1}}},"
            + "{\"type\":\"object\",\"properties\":{\"k\":{\"const\":2}}}]}",
        "exclude each other");
    assertRefused("{\"oneOf\":[{\"$ref\":\"#\"},{\"type\":\"null\"}]}", "schema/oneOf");
    assertRefused("{\"oneOf\":3}", "schema/oneOf");
  }

  @Test
  void schemasThatNothingIsValidByAreRefused() {
    assertRefused("{\"$ref\":\"#\"}", "leads back to itself");
    assertRefused(
        "{\"$defs\":{\"a\":{\"anyOf\":[{\"$ref\":\"#/$defs/b\"},{\"type\":\"null\"}]},"
            + "\"b\":{\"$ref\":\"#/$defs/a\"}},\"$ref\":\"#/$defs/a\"}",
        "leads back to itself");
    assertRefused(
        "{\"properties\":{\"next\":{\"$ref\":\"#\"}},\"required\":[\"next\"]}", "without end");
    assertEquals(
        "whole",
        taken(
            "{\"properties\":{\"next\":{\"$ref\":\"#\"}}}",
            "{\"next\": ".repeat(50) + "{}" + "}".repeat(50)));
  }

  @Test
  void ambiguityHasABound() {
    String twice = "{\"type\":\"array\",\"items\":{\"$ref\":\"#\"}}";
    String schema = "{\"anyOf\":[%s,%s]}".formatted(twice, twice);
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> taken(schema, "[".repeat(40)));
    assertTrue(e.getMessage().contains("alternatives"), e.getMessage());
  }

  @Test
  void tokensThatAreNotAllowedAreRefused() {
    Constraint.Matcher matcher =
        JsonSchemaConstraint.of("{\"type\":\"object\"}", TokenTrie.of(DEMO)).begin();
    int brace = DEMO.encode("{")[0];
    assertTrue((matcher.allowed()[brace >> 6] >>> brace & 1) == 1);
    assertThrows(IllegalArgumentException.class, () -> matcher.accept(DEMO.encode("a")[0]));
    assertThrows(IllegalArgumentException.class, () -> matcher.accept(END));
    matcher.accept(brace);
    assertFalse(matcher.isComplete());
    matcher.accept(DEMO.encode("}")[0]);
    assertTrue(matcher.isComplete());
    assertTrue(matcher.isExhausted());
  }

  /** The tree's answer is that of every token by itself. */
  @Test
  void theTreeAllowsWhatTheAutomatonTakes() {
    Automaton automaton =
        new Automaton(
            SchemaCompiler.compile("{\"properties\":{\"the end\":{\"type\":\"number\"}}}"));
    TokenTrie vocabulary = TokenTrie.of(DEMO);
    for (String beginning : List.of("", "{", "{\"th", "{\"the end\":", "{\"the end\":1")) {
      Automaton.State state = automaton.start();
      for (byte value : beginning.getBytes(StandardCharsets.UTF_8)) {
        state = automaton.step(state, value);
      }
      long[] allowed = vocabulary.allowed(automaton, state);
      for (int id = 0; id < DEMO.vocabularySize(); id++) {
        Automaton.State reached = state;
        for (byte value : DEMO.bytes(id)) {
          reached = reached == Automaton.DEAD ? reached : automaton.step(reached, value);
        }
        boolean expected =
            reached != Automaton.DEAD && DEMO.bytes(id).length > 0 && !DEMO.isAdded(id);
        assertEquals(expected, (allowed[id >> 6] >>> id & 1) == 1, beginning + " + token " + id);
      }
    }
  }

  @Test
  void schemasThatHoldThemselvesByAllOfAreFollowed() throws JsonProcessingException {
    for (String schema :
        List.of(
            "{\"properties\":{\"a\":{\"allOf\":[{\"$ref\":\"#\"},{\"title\":\"x\"}]}}}",
            "{\"items\":{\"allOf\":[{\"$ref\":\"#\"},{\"maxItems\":3}]},\"maxItems\":4}",
            """
            {"$ref": "#/$defs/a", "$defs": {
              "a": {"properties": {
                "n": {"allOf": [{"$ref": "#/$defs/b"}, {"$ref": "#/$defs/a"}]}}},
              "b": {"properties": {
                "n": {"allOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/b"}]}}}}}\
            """)) {
      JsonSchemaConstraint constraint = JsonSchemaConstraint.of(schema, TokenTrie.of(DEMO));
      for (int seed = 0; seed < 5; seed++) {
        assertValid(MAPPER.readTree(schema), generate(constraint, DEMO, seed));
      }
    }
  }

  @Test
  @Timeout(60)
  void schemasThatLeadFarOrMultiplyNeitherOverflowNorHang() {
    assertEquals("whole", taken(chain(1900, "{\"$ref\":\"#/$defs/%d\"}"), "0"));
    assertEquals(
        "beginning",
        taken(chain(1900, "{\"items\":{\"$ref\":\"#/$defs/%d\"},\"minItems\":1}"), "["));
    assertRefused(chain(50_000, "{\"$ref\":\"#/$defs/%d\"}"), "at most 2000 schemas");
    String twice = "{\"anyOf\":[{\"$ref\":\"#/$defs/%d\"},{\"$ref\":\"#/$defs/%<d\"}]}";
    assertEquals("whole", taken(chain(100, twice), "0"));
    assertEquals("beginning", taken("{\"pattern\":\"^" + "(a?|b?)".repeat(60) + "$\"}", "\"a"));
    String part = "{\"properties\":{\"a\":{\"$ref\":\"#\"}}}";
    assertRefused(
        "{\"allOf\":["
            + IntStream.range(0, 1001)
                .mapToObj(i -> part.replace("a", "a" + i))
                .collect(Collectors.joining(","))
            + "]}",
        "at most 1000 parts of allOf");
  }

  /** Schemas each of which leads to the next one, and the last to a number. */
  private static String chain(int length, String link) {
    return IntStream.range(0, length)
        .mapToObj(i -> "\"%d\":".formatted(i) + link.formatted(i + 1))
        .collect(
            Collectors.joining(
                ",",
                "{\"$ref\":\"#/$defs/0\",\"$defs\":{",
                ",\"%d\":{\"const\":0}}}".formatted(length)));
  }
}
