package dev.gdn.langchain4j;

import dev.gdn.core.concurrent.Workers;
import dev.gdn.model.LanguageModel;
import dev.gdn.model.chat.ChatTemplate;
import dev.gdn.model.config.Architecture;
import dev.gdn.model.config.AttentionConfig;
import dev.gdn.model.config.DenseFeedForward;
import dev.gdn.model.config.LayerType;
import dev.gdn.model.config.LinearAttentionConfig;
import dev.gdn.model.config.ModelConfig;
import dev.gdn.model.config.RotaryConfig;
import dev.gdn.model.generation.Constraint;
import dev.gdn.model.generation.GenerationOptions;
import dev.gdn.model.gguf.FileType;
import dev.gdn.model.synth.SyntheticCheckpoint;
import dev.gdn.model.tokenizer.Tokenizer;
import dev.langchain4j.model.chat.listener.ChatModelListener;
import dev.langchain4j.model.chat.listener.ChatModelRequestContext;
import dev.langchain4j.model.chat.request.ChatRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Has a model say what a test wants to be said: a constraint that lets nothing else follow, but
 * behind a thought, which is always the same. All else is as usual. It learns of requests as a
 * listener, one after another.
 */
final class Script implements Constraint, ChatModelListener {
  private static final Path TEMPLATES =
      Path.of("../gdn-model/src/test/resources/dev/gdn/model/template/published");

  /** What the model thinks, where it does. */
  static final String THOUGHT = "hmhmhm";

  private final Tokenizer tokenizer;
  private final Function<ChatRequest, String> answers;
  private volatile String text = "";

  Script(LanguageModel model, Function<ChatRequest, String> answers) {
    this.tokenizer = model.tokenizer();
    this.answers = answers;
  }

  /** The model of the tests: tiny, with random weights, and no template of its own. */
  static LanguageModel openModel() {
    ModelConfig config =
        new ModelConfig(
            Architecture.QWEN3_5,
            2000, // tokens, so that texts are short
            64,
            List.of(LayerType.LINEAR_ATTENTION, LayerType.FULL_ATTENTION),
            1e-6f,
            true,
            4096,
            new AttentionConfig(2, 1, 32, new RotaryConfig(8, 1e6, List.of(2, 1, 1))),
            new LinearAttentionConfig(2, 2, 16, 16, 4),
            Collections.nCopies(2, new DenseFeedForward(96)));
    try {
      Path file = Files.createTempFile("gdn-tiny-", ".gguf");
      file.toFile().deleteOnExit();
      SyntheticCheckpoint.write(
          "tiny", config, FileType.Q8_0, 1, file, Workers.shared(), (bytes, total) -> {});
      return LanguageModel.open(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A published template, which shows tools and thoughts. */
  static ChatTemplate template() {
    try {
      return ChatTemplate.parse(Files.readString(TEMPLATES.resolve("Qwen3.5-4B.jinja")), Map.of());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A builder of chat models that say what the function gives for a request. */
  static <M> GdnModelBuilder<M> builder(
      GdnModelBuilder<M> builder,
      LanguageModel model,
      Function<ChatRequest, String> answers,
      ChatModelListener... listeners) {
    Script script = new Script(model, answers);
    GenerationOptions options =
        GenerationOptions.greedy()
            .withMaxTokens(2000)
            .withConstraint(script)
            .withThinkingBudget(3)
            .withLogitBias(Map.of(model.tokenizer().encode("hm")[0], 100f));
    return builder
        .model(model)
        .chatTemplate(template())
        .thinking(false)
        .generationOptions(options)
        .listeners(Stream.concat(Stream.of(script), Stream.of(listeners)).toList());
  }

  /** A call as the family writes it. */
  static String call(String tool, Map<String, String> arguments) {
    StringBuilder call = new StringBuilder("<tool_call>\n<function=" + tool + ">\n");
    arguments.forEach(
        (name, value) -> call.append("<parameter=%s>\n%s\n</parameter>\n".formatted(name, value)));
    return call + "</function>\n</tool_call>";
  }

  @Override
  public void onRequest(ChatModelRequestContext context) {
    text = answers.apply(context.chatRequest());
  }

  @Override
  public Matcher begin() {
    int[] ids = tokenizer.encode(text);
    return new Matcher() {
      private int at;

      @Override
      public long[] allowed() {
        long[] words = new long[(tokenizer.vocabularySize() + 63) / 64];
        if (at < ids.length) {
          words[ids[at] / 64] |= 1L << (ids[at] % 64);
        }
        return words;
      }

      @Override
      public void accept(int id) {
        if (id != ids[at]) {
          throw new IllegalArgumentException("token %d: expected %d".formatted(id, ids[at]));
        }
        at++;
      }

      @Override
      public boolean isComplete() {
        return at == ids.length;
      }

      @Override
      public boolean isExhausted() {
        return isComplete();
      }
    };
  }

  /** Of one message. */
  static Function<ChatRequest, String> always(String answer) {
    return request -> answer;
  }

  /** What the framework's published tests want to hear. */
  static String publishedAnswer(ChatRequest request) {
    String conversation = request.messages().toString();
    String last = request.messages().getLast().toString();
    Map<String, String> munich = Map.of("city", "Munich");
    for (Map.Entry<String, String> results :
        List.of(Map.entry("14:35", "It is sunny, and 14:35"), Map.entry("10:14", "It is 10:14"))) {
      if (last.contains(results.getKey())) {
        return results.getValue();
      }
    }
    if (last.contains("sunny")) {
      return "There is sun today";
    }
    if (last.contains("weather in Munich and time")) {
      return call("getWeather", munich) + "\n" + call("getTime", Map.of("country", "France"));
    }
    if (last.contains("weather")) {
      return call("getWeather", munich);
    }
    if (last.contains("get_current_time")) {
      return call("get_current_time", Map.of());
    }
    if (last.contains("Translate")) {
      return "Ich liebe dich";
    }
    if (last.contains("Hello World")) {
      return "Hello World, and more";
    }
    if (last.contains("favorite color?") && conversation.contains("green")) {
      return "It is green";
    }
    return last.contains("long story")
        ? "Once there was a fox. ".repeat(60)
        : "The capital of Germany is Berlin, and more";
  }
}
