package dev.gdn.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GenerateCommandTest {
  @TempDir Path folder;

  private static String generated(Object... options) {
    Object[] arguments = new Object[options.length + 5];
    arguments[0] = "generate";
    arguments[1] = "--quiet";
    arguments[2] = "--greedy";
    arguments[3] = "--max-tokens=12";
    System.arraycopy(options, 0, arguments, 4, options.length);
    arguments[arguments.length - 1] = "Once upon a time there was a king who";
    return Called.with(arguments).assertDone().out();
  }

  @Test
  void optionsChangeWhatIsGenerated() {
    String plain = generated();
    assertTrue(plain.startsWith(" was a king,"), plain);
    assertEquals(" was a\n", generated("--stop", "king", "--stop", " king"));
    assertFalse(generated("--logit-bias", "307=-Infinity").startsWith(" was"), plain);
    assertFalse(generated("--repetition-penalty", "3").equals(plain), plain);
    assertFalse(generated("--frequency-penalty", "50").equals(plain), plain);
  }

  @Test
  void logProbabilitiesAreListed() {
    String out = generated("--log-probabilities", "2");
    assertEquals(13, out.lines().count(), out);
    String first = out.lines().skip(1).findFirst().orElseThrow();
    assertTrue(first.matches("307 \" was\" -\\d\\.\\d{4}  307 \" was\" -.*"), first);
  }

  @Test
  void aSchemaIsFollowed() throws IOException {
    Path schema =
        Files.writeString(
            folder.resolve("schema.json"),
            "{\"properties\":{\"n\":{\"type\":\"boolean\"}},\"required\":[\"n\"]}");
    String out =
        Called.with("generate", "--quiet", "--seed=3", "--json-schema", schema, "A king, in JSON:")
            .assertDone()
            .out();
    assertTrue(new ObjectMapper().readTree(out).get("n").isBoolean(), out);
    Path broken = Files.writeString(folder.resolve("broken.json"), "{\"oneOf\": []}");
    Called.with("generate", "--json-schema", broken, "x").assertRefused(broken, "oneOf");
    Called.with("generate", "--json-schema", folder.resolve("none"), "x").assertRefused("none");
  }

  @Test
  void jsonBeginsALineOfItsOwn() throws IOException {
    Path schema = Files.writeString(folder.resolve("schema.json"), "{\"const\": [1]}");
    for (String prompt : new String[] {"In JSON:", "In JSON:\n"}) {
      Called called = Called.with("generate", "--json-schema", schema, prompt).assertDone();
      assertEquals("In JSON:\n[1]\n", called.out());
    }
  }

  @Test
  void jsonThatIsCutOffIsToldInAnyCase() throws IOException {
    Path schema = Files.writeString(folder.resolve("schema.json"), "{\"type\": \"array\"}");
    Object[] arguments = {"generate", "--quiet", "--greedy", "-n1", "--json-schema", schema, "x"};
    Called cut = Called.with(arguments).assertDone();
    assertEquals("gdn: the JSON is cut off after 1 token: the limit of --max-tokens\n", cut.err());
    arguments[5] = Files.writeString(folder.resolve("constant.json"), "{\"const\": 1}");
    arguments[3] = "-n5";
    assertEquals("", Called.with(arguments).assertDone().err());
  }

  @Test
  void biasesAreGivenOnceAndWell() {
    Object[] arguments = {"generate", "--logit-bias", "5=1", "--logit-bias", "5=2", "x"};
    Called.with(arguments).assertRefused("--logit-bias: expected each name once, found 5 twice");
    arguments[4] = "6";
    Called.with(arguments)
        .assertRefused("'--logit-bias'", "expected a name, = and a value, found 6");
    arguments[4] = "6=x";
    Called.with(arguments).assertRefused("--logit-bias: expected a number as bias, found x");
    arguments[4] = "+6=1";
    Called.with(arguments).assertRefused("--logit-bias: expected token ids", "found +6");
  }

  @Test
  void whatDoesNotFitIsRefusedBeforeTheTextIsPrinted() {
    Called.with("chat", "--thinking", "true")
        .assertRefused("--thinking", "found one without a template");
    Called.with("generate", "--repetition-penalty", "1e-40", "x")
        .assertRefused("repetition penalty: expected from 0.01 to 100.0");
    Called.with("generate", "--min-p", "2", "x").assertRefused("min-p", "from 0 to 1");
    Called.with("generate", "--logit-bias", "5000=1", "x").assertRefused("logit bias", "4095");
    Called.with("generate", "--thinking-budget", "5", "x").assertRefused("</think>");
    Called.with("generate", "--stop", "", "x").assertRefused("stop strings");
  }
}
