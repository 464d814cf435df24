package dev.gdn.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gdn.demo.DemoModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class TemplateCommandTest {
  private static final String TEMPLATE =
      """
      {%- if not messages %}{{ raise_exception('No messages.') }}{% endif %}
      {%- for m in messages %}
      {{ m.role }}: {{ m.content }}
      {% endfor %}
      {%- for t in tools or [] %}{{ t|tojson }}
      {% endfor %}
      {{- mood ~ n if mood is defined }}{% if add_generation_prompt %}assistant:{% endif %}
      """;

  @TempDir Path folder;
  private Path template;
  private Path messages;

  @BeforeEach
  void write() throws IOException {
    template = Files.writeString(folder.resolve("template.jinja"), TEMPLATE);
    messages =
        Files.writeString(
            folder.resolve("messages.json"), "[{\"role\": \"user\", \"content\": \"Hi\"}]");
  }

  private Called called(Object... more) {
    Object[] arguments = new Object[5 + more.length];
    arguments[0] = "template";
    arguments[1] = "--template";
    arguments[2] = template;
    arguments[3] = "--messages";
    arguments[4] = messages;
    System.arraycopy(more, 0, arguments, 5, more.length);
    return Called.with(arguments);
  }

  @Test
  void printsTheRenderingAndNothingElse() throws IOException {
    assertEquals("user: Hi\nassistant:", called().assertDone().out());
    assertEquals("user: Hi\n", called("--no-generation-prompt").assertDone().out());
    Path tools = Files.writeString(folder.resolve("tools.json"), "[{\"b\": 1, \"a\": [2.0]}]");
    assertEquals(
        "user: Hi\n{\"b\": 1, \"a\": [2.0]}\nassistant:",
        called("--tools", tools).assertDone().out());
    assertEquals(
        "user: Hi\ngood3assistant:",
        called("--set", "mood=good", "--set", "n=3").assertDone().out());
  }

  @Test
  void variablesThatChangeNothingAreRefused() {
    called("--set", "wood=1").assertRefused("--set: expected a variable", "found wood");
    called("--set", "messages=[]").assertRefused("--set", "found messages");
    called("--set", "n=1", "--set", "n=2").assertRefused("--set", "found n twice");
    called("--set", "mood").assertRefused("'--set'", "expected a name, = and a value, found mood");
    called("--set", "n=\"\\ud800\"", "--set", "mood=1").assertRefused("half of a surrogate pair");
    Called.with("template", "--messages", messages, "--set", "mood=1")
        .assertRefused("--set: expected a variable", "found mood");
  }

  @Test
  @Timeout(60)
  void onlyFilesAreRead() throws IOException, InterruptedException {
    Path pipe = folder.resolve("pipe");
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
    for (Path other : List.of(pipe, Path.of("/dev/zero"))) {
      called("--tools", other).assertRefused(other, "regular file", "a device, a pipe or a socket");
    }
    called("--tools", folder).assertRefused(folder, "regular file", "found a folder");
    Called.with("template", "--template", pipe, "--messages", messages).assertRefused(pipe);
    Called.with("perplexity", "--file", pipe).assertRefused(pipe);
    Called.with("generate", "--json-schema", pipe, "x").assertRefused(pipe);
    Called.with("inspect", pipe).assertRefused(pipe, "found a device, a pipe or a socket");
    Called.with("rule", "--in", pipe, "--out", folder.resolve("out")).assertRefused(pipe);
  }

  @Test
  void refusalsAreToldInOneLine() throws IOException {
    Files.writeString(messages, "[]");
    called().assertRefused("gdn: No messages.");
    Files.writeString(messages, "{}");
    called().assertRefused(messages, "expected a list of objects, found an empty object");
    Files.writeString(messages, "[{\"role\": \"user\"}, 5]");
    called().assertRefused(messages, "entry 1: expected an object, found 5");
    Files.writeString(messages, "null");
    called().assertRefused(messages, "expected a list of objects, found null");
    Files.delete(messages);
    called().assertRefused(messages, "no such file");
    Files.write(template, new byte[] {(byte) 0xff});
    called().assertRefused(template, "expected UTF-8");
    Files.writeString(template, "a\n{{ x");
    called("--tools", template).assertRefused("line 2: expected }}");
  }

  @Test
  void theDemonstrationModelContinuesWhatWasSaid() throws IOException {
    Files.writeString(
        messages,
        "[{\"role\": \"user\", \"content\": \"Once\"}, {\"role\": \"assistant\", \"content\": \""
            + " upon\"}, {\"role\": \"user\", \"content\": \"There\"}]");
    assertEquals(
        "Once upon\nThere", Called.with("template", "--messages", messages).assertDone().out());
  }

  @Test
  void aCheckpointsTemplateKnowsItsSpecialTokens() throws IOException {
    Path checkpoint = Files.createDirectory(folder.resolve("checkpoint"));
    try (Stream<Path> files = Files.list(DemoModel.extract())) {
      for (Path file : files.filter(f -> f.toString().endsWith("config.json")).toList()) {
        Files.copy(file, checkpoint.resolve(file.getFileName()));
      }
    }
    Path config = checkpoint.resolve("tokenizer_config.json");
    Files.writeString(
        config,
        """
        {"bos_token": "<s>", "eos_token": {"content": "</s>"},
         "chat_template": [{"name": "default", "template": "{{ bos_token }}D{{ eos_token }}"},
           {"name": "tool_use", "template": "T{{ messages[0].content }}"}]}\
        """);
    Object[] given = {"template", "--model", checkpoint, "--messages", messages};
    assertEquals("<s>D</s>", Called.with(given).assertDone().out());
    Object[] named = Arrays.copyOf(given, given.length + 2);
    named[given.length] = "--name";
    named[given.length + 1] = "tool_use";
    assertEquals("THi", Called.with(named).assertDone().out());
    named[given.length + 1] = "rag";
    Called.with(named).assertRefused(checkpoint, "named rag", "found one without a name, tool_use");
    Files.writeString(config, "{}");
    Called plain = Called.with(given).assertDone();
    assertEquals("Hi", plain.out());
    assertTrue(plain.err().startsWith("gdn: " + checkpoint + ": no chat template"), plain.err());
    Called.with(named).assertRefused(checkpoint, "named rag", "found none");
    called("--model", checkpoint).assertRefused("mutually exclusive");
    called("--name", "tool_use").assertRefused("--name goes with --model");
  }
}
