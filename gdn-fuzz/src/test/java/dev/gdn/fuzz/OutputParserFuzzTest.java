package dev.gdn.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.gdn.model.chat.ModelOutput;
import dev.gdn.model.chat.OutputEvent;
import dev.gdn.model.chat.OutputParser;
import dev.gdn.model.chat.ToolDefinition;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a model writes. No text is refused, and pieces of any size give what the whole gives. The
 * first byte of an input says how long the pieces are.
 */
class OutputParserFuzzTest {
  private static final List<ToolDefinition> TOOLS = List.of(Conversation.WEATHER);

  static Stream<byte[]> samples() {
    return Stream.of(
            """
            \u0003<think>
            I ask.
            </think>

            Well: <tool_call>
            {"name": "weather", "arguments": {"place": "K\\u00f6ln", "days": 2, "names": []}}
            </tool_call>
            """,
            """
            \u0001<tool_call>
            <function=weather>
            <parameter=place>
            Köln
            </parameter>
            <parameter=days>
            1e3
            </parameter>
            <parameter=short>
            True
            </parameter>
            <parameter=more>
            {"a": [None, 1.5]}
            </parameter>
            </function>
            </tool_call><tool_call>
            """)
        .map(text -> text.getBytes(StandardCharsets.UTF_8));
  }

  /** No text is refused. */
  private static final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  @MethodSource("samples")
  @FuzzTest
  void takesEverythingApart(byte[] content) {
    if (content.length == 0) {
      return;
    }
    int piece = 1 + Byte.toUnsignedInt(content[0]);
    String text = new String(content, 1, content.length - 1, StandardCharsets.UTF_8);
    for (boolean opensThought : new boolean[] {true, false}) {
      Bounds.check(content.length, Refusal.class, () -> compare(text, piece, opensThought));
    }
    OutputParser.parse(text, List.of(), false);
  }

  private static void compare(String text, int piece, boolean opensThought) {
    OutputParser parser = new OutputParser(TOOLS, opensThought);
    List<OutputEvent> events = new ArrayList<>();
    for (int from = 0; from < text.length(); from += piece) {
      events.addAll(parser.accept(text.substring(from, Math.min(text.length(), from + piece))));
    }
    events.addAll(parser.finish(false));
    assertEquals(OutputParser.parse(text, TOOLS, opensThought), ModelOutput.of(events));
  }
}
