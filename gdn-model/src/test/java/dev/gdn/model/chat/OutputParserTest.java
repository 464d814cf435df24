package dev.gdn.model.chat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OutputParserTest {
  private static final ToolDefinition WEATHER =
      new ToolDefinition(
          "weather",
          "",
          Map.of(
              "type",
              "object",
              "properties",
              Map.of("city", Map.of("type", "string"), "days", Map.of("type", "integer"))));
  private static final List<ToolDefinition> TOOLS = List.of(WEATHER);

  private static final String TAGS =
      "<tool_call>\n<function=weather>\n<parameter=city>\nOslo\n</parameter>\n"
          + "<parameter=days>\n2\n</parameter>\n</function>\n</tool_call>";
  private static final String JSON =
      "<tool_call>\n{\"name\": \"weather\", \"arguments\": {\"city\": \"Oslo\", \"days\": 2}}\n"
          + "</tool_call>";

  private static ModelOutput parse(String text) {
    return OutputParser.parse(text, TOOLS, false);
  }

  private static ModelOutput parseCutOff(String text) {
    return ModelOutput.of(events(text, false, text.length(), true));
  }

  private static void assertWeather(ToolCall call) {
    assertEquals("weather", call.name());
    assertEquals("{city=Oslo, days=2}", call.arguments().toString(), "in the order of the output");
  }

  @Test
  void thoughtIsTakenFromTheAnswer() {
    ModelOutput output = parse("<think>\nhm\n\nwell\n</think>\n\nYes.\n");
    assertEquals("hm\n\nwell", output.reasoning());
    assertEquals("Yes.\n", output.answer());
  }

  @Test
  void promptMayHaveOpenedTheThought() {
    assertTrue(ChatTemplate.opensThought("<|im_start|>assistant\n<think>\n"));
    assertFalse(ChatTemplate.opensThought("<|im_start|>assistant\n<think>\n\n</think>\n\n"));
    ModelOutput output = OutputParser.parse("hm\n</think>\n\nYes.", TOOLS, true);
    assertEquals("hm", output.reasoning());
    assertEquals("Yes.", output.answer());
  }

  @Test
  void endWithinTheThoughtIsAllReasoning() {
    for (String end : List.of("", "</thi", "<", "</think")) {
      ModelOutput output = OutputParser.parse("hm, 1 < 2" + end, TOOLS, true);
      assertEquals("hm, 1 < 2" + end, output.reasoning());
      assertEquals("", output.answer());
      assertEquals(output, parse("<think>\nhm, 1 < 2" + end));
    }
  }

  @Test
  void textWithoutMarksIsTheAnswerAsItIs() {
    String text = "\n a < b, <tool, <think> and </think> \n";
    assertEquals(new ModelOutput("", text, List.of(), List.of()), parse(text));
    assertEquals("", parse("").answer());
    assertEquals("<thin", parse("<thin").answer());
  }

  @Test
  void callsFollowTheTextBeforeThem() {
    ModelOutput output = parse("<think>\nhm\n</think>\n\nI look.\n\n" + TAGS + "\n" + JSON + "\n");
    assertEquals("hm", output.reasoning());
    assertEquals("I look.", output.answer());
    assertEquals(2, output.calls().size());
    output.calls().forEach(OutputParserTest::assertWeather);
    assertEquals(List.of(), output.brokenCalls());
  }

  @Test
  void callsAreTextWhereThereAreNoTools() {
    assertEquals(TAGS, OutputParser.parse(TAGS, List.of(), false).answer());
  }

  @Test
  void everyCallCutOffIsReported() {
    for (String call : List.of(TAGS, JSON)) {
      for (int length = "<tool_call>".length(); length < call.length(); length++) {
        ModelOutput output = parse("So: " + call.substring(0, length));
        assertEquals("So:", output.answer());
        assertEquals(List.of(), output.calls());
        assertEquals(1, output.brokenCalls().size());
        OutputEvent.BrokenCall broken = output.brokenCalls().getFirst();
        assertTrue(broken.cutOff());
        assertEquals(call.substring(0, length), broken.text());
        assertTrue(broken.problem().contains("</tool_call>"), broken.problem());
      }
    }
  }

  @Test
  void aBeginMarkCutOffIsReportedWhereALimitEndedTheText() {
    String mark = "<tool_call>";
    for (int length = 1; length < mark.length(); length++) {
      String text = "So:\n" + mark.substring(0, length);
      assertEquals(new ModelOutput("", text, List.of(), List.of()), parse(text));
      ModelOutput cutOff = parseCutOff(text);
      if (length < "<tool".length()) {
        assertEquals(parse(text), cutOff, "too little to tell");
      } else {
        assertEquals("So:", cutOff.answer());
        OutputEvent.BrokenCall broken = cutOff.brokenCalls().getFirst();
        assertTrue(broken.cutOff());
        assertEquals(mark.substring(0, length), broken.text());
        assertTrue(broken.problem().contains("expected <tool_call>"), broken.problem());
      }
    }
    assertEquals("a <tool_c d", parseCutOff("a <tool_c d").answer());
    assertEquals("<tool_c", parseCutOff("<think><tool_c").reasoning());
    OutputParser withoutTools = new OutputParser(List.of(), false);
    assertEquals(List.of(new OutputEvent.Answer("<tool_c")), withoutTools.accept("<tool_c"));
    assertEquals(List.of(), withoutTools.finish(true));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "hi %s bye | hi bye",
        "hi\n\n%s\n%s\nbye | hi\n\nbye",
        "hi%s\nbye | hi\nbye",
        "hi%sbye | hibye",
        "hi%s %s\tbye | hi bye",
        "\n%s\nhi\n%s | hi",
        "%s hi %s bye %s | hi bye",
        "<think>hm</think>\n\n%s\n\nhi\n%s %s\nbye\n | hi\nbye\n"
      })
  void textAroundCallsIsKeptApart(String textAndAnswer) {
    String[] parts = textAndAnswer.split(" \\| ");
    ModelOutput output = parse(parts[0].replace("%s", TAGS));
    assertEquals(parts[1], output.answer());
    assertEquals(parts[0].split("%s", -1).length - 1, output.calls().size());
    String broken = "<tool_call></tool_call>";
    assertEquals(parts[1], parse(parts[0].replace("%s", broken)).answer());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "hello | expected <function=NAME>",
        "{\"name\": \"weather\", \"arguments\": {\"city\": 1} | expected JSON",
        "{\"name\": \"weather\", \"arguments\": {\"city\": \"a\", \"city\": \"b\"}} | Duplicate",
        "{\"name\": \"weather\", \"arguments\": [1]} | arguments: expected an object",
        "{\"name\": \"weather\", \"arguments\": \"{\"} | arguments: expected JSON",
        "{\"name\": \"weather\", \"arguments\": {\"city\": 1e999}} | city: a number is too large",
        "{\"name\": \"weather\", \"arguments\": {\"x\": 1e999}} | x: a number is too large",
        "{\"name\": \"weather\", \"arguments\": {\"x\": [{\"y\": -1e999}]}} | x[0]: y: a number is",
        "{\"name\": \"weather\", \"arguments\": {\"x\": \"\\ud800\"}} | x: expected Unicode text",
        "{\"name\": 3} | name: expected a string",
        "{\"name\": \"climate\"} | [weather], found climate",
        "<function=climate></function> | [weather], found climate",
        "<function=weather> | expected <parameter=NAME> or </function>, found nothing",
        "<function=weather>x</function> | expected <parameter=NAME> or </function>, found x",
        "<function=weather><parameter=city>x</function> | expected </parameter>",
        "<function=weather><parameter=days>soon</parameter></function> | days: expected integer",
        "<function=weather><parameter=days>1</parameter><parameter=days>2</parameter></function>"
            + " | days: expected once"
      })
  void everyCallThatIsWrongIsReported(String callAndProblem) {
    String[] parts = callAndProblem.split(" \\| ");
    String call = "<tool_call>" + parts[0] + "</tool_call>";
    ModelOutput output = parse(call + JSON);
    assertEquals(1, output.brokenCalls().size());
    OutputEvent.BrokenCall broken = output.brokenCalls().getFirst();
    assertTrue(broken.problem().contains(parts[1]), broken.problem());
    assertFalse(broken.cutOff());
    assertEquals(call, broken.text());
    assertEquals(1, output.calls().size(), "the next call is read all the same");
  }

  @Test
  void deepArgumentsAreRefused() {
    String deep = "[".repeat(5000) + "]".repeat(5000);
    String problem = parse(JSON.replace("\"Oslo\"", deep)).brokenCalls().getFirst().problem();
    assertTrue(problem.contains("nesting depth"), problem);
  }

  @Test
  void argumentsMayHoldMarks() {
    String text = "see \"</tool_call>\" and <tool_call> \\";
    String escaped = text.replace("\\", "\\\\").replace("\"", "\\\"");
    ModelOutput json = parse(JSON.replace("Oslo", escaped) + " done");
    assertEquals(text, json.calls().getFirst().arguments().get("city"));
    assertEquals("done", json.answer());
    ModelOutput tags = parse(TAGS.replace("Oslo", text + " </parameter> x") + " done");
    assertEquals(text + " </parameter> x", tags.calls().getFirst().arguments().get("city"));
    assertEquals("done", tags.answer());
  }

  /** However an output is cut into pieces, the events are the same. */
  @Test
  void anySplitGivesTheSameEvents() {
    String[] parts = {
      "<think>",
      "</think>",
      "<tool_call>",
      "</tool_call>",
      TAGS,
      JSON,
      "\n",
      " ",
      "text",
      "<",
      "<tool_c",
      "</",
      "<function=weather>",
      "<parameter=city>",
      "</parameter>",
      "</function>",
      "é😀",
      "\"",
      "{"
    };
    Random random = new Random(5);
    for (int round = 0; round < 5000; round++) {
      StringBuilder text = new StringBuilder();
      for (int i = random.nextInt(9); i >= 0; i--) {
        text.append(parts[random.nextInt(parts.length)]);
      }
      boolean opensThought = random.nextBoolean();
      boolean cutOff = random.nextBoolean();
      List<OutputEvent> whole = events(text.toString(), opensThought, text.length(), cutOff);
      for (int longest : new int[] {1, 2, 7, 20}) {
        assertEquals(whole, events(text.toString(), opensThought, longest, cutOff), text::toString);
      }
    }
  }

  /** The events of a text in random pieces, with neighbouring texts of a kind joined. */
  private static List<OutputEvent> events(
      String text, boolean opensThought, int longest, boolean cutOff) {
    Random random = new Random(text.length());
    OutputParser parser = new OutputParser(TOOLS, opensThought);
    List<OutputEvent> events = new ArrayList<>();
    for (int from = 0; from < text.length(); ) {
      int to = Math.min(text.length(), from + 1 + random.nextInt(longest));
      events.addAll(parser.accept(text.substring(from, to)));
      from = to;
    }
    events.addAll(parser.finish(cutOff));
    List<OutputEvent> joined = new ArrayList<>();
    for (OutputEvent event : events) {
      OutputEvent last = joined.isEmpty() ? null : joined.getLast();
      if (last instanceof OutputEvent.Answer a && event instanceof OutputEvent.Answer b) {
        joined.set(joined.size() - 1, new OutputEvent.Answer(a.text() + b.text()));
      } else if (last instanceof OutputEvent.Reasoning a
          && event instanceof OutputEvent.Reasoning b) {
        joined.set(joined.size() - 1, new OutputEvent.Reasoning(a.text() + b.text()));
      } else {
        joined.add(event);
      }
    }
    return joined;
  }

  @Test
  void textIsNotHeldBackLongerThanAMarkNeeds() {
    OutputParser parser = new OutputParser(TOOLS, false);
    assertEquals(List.of(new OutputEvent.Answer("Hello")), parser.accept("Hello <"));
    assertEquals(List.of(new OutputEvent.Answer(" <b")), parser.accept("b"));
    assertEquals(List.of(), parser.accept("<tool_cal"));
    assertEquals(List.of(new OutputEvent.Answer("<tool_calm")), parser.accept("m"));
  }
}
