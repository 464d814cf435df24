package dev.gdn.langchain4j;

import dev.gdn.demo.DemoModel;
import dev.gdn.model.LanguageModel;
import dev.gdn.model.chat.ChatTemplate;
import dev.gdn.model.generation.Constraint;
import dev.gdn.model.generation.GenerationOptions;
import dev.gdn.model.tokenizer.Tokenizer;
import dev.langchain4j.model.chat.listener.ChatModelListener;
import dev.langchain4j.model.chat.listener.ChatModelRequestContext;
import dev.langchain4j.model.chat.request.ChatRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Has a model say what a test wants to be said: a constraint that lets nothing else follow. All
 * else is as usual. It learns of requests as a listener, one after another.
 */
final class Script implements Constraint, ChatModelListener {
  private static final Path TEMPLATES =
      Path.of("../gdn-model/src/test/resources/dev/gdn/model/template/published");

  private final Tokenizer tokenizer;
  private final Function<ChatRequest, String> answers;
  private volatile String text = "";

  Script(LanguageModel model, Function<ChatRequest, String> answers) {
    this.tokenizer = model.tokenizer();
    this.answers = answers;
  }

  /** The model of the tests: small, with a context to talk in, and no template of its own. */
  static LanguageModel openModel() {
    return LanguageModel.open(DemoModel.extract());
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
    return builder
        .model(model)
        .chatTemplate(template())
        .thinking(false)
        .generationOptions(GenerationOptions.greedy().withMaxTokens(2000).withConstraint(script))
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
