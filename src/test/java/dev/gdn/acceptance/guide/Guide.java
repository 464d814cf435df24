package dev.gdn.acceptance.guide;

import dev.gdn.langchain4j.GdnChatModel;
import dev.gdn.langchain4j.GdnStreamingChatModel;
import dev.gdn.model.ChatReply;
import dev.gdn.model.ChatSession;
import dev.gdn.model.ChatSettings;
import dev.gdn.model.ChatTurn;
import dev.gdn.model.Generation;
import dev.gdn.model.LanguageModel;
import dev.gdn.model.Reading;
import dev.gdn.model.Session;
import dev.gdn.model.Snapshot;
import dev.gdn.model.TextGenerator;
import dev.gdn.model.chat.Message;
import dev.gdn.model.chat.OutputEvent;
import dev.gdn.model.chat.ToolDefinition;
import dev.gdn.model.generation.Constraint;
import dev.gdn.model.generation.GenerationEvent;
import dev.gdn.model.generation.GenerationOptions;
import dev.gdn.model.generation.GenerationResult;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequestParameters;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.stream.Stream;

/** The programs of docs/guide.md. */
final class Guide {
  private Guide() {}

  static GenerationResult options(LanguageModel model, PrintStream out) {
    GenerationOptions options =
        model
            .defaultOptions()
            .withMaxTokens(60)
            .withTemperature(0.7f)
            .withMinP(0.05f)
            .withPenalties(1.1f, 0, 0)
            .withStopStrings("\n\n", "The End")
            .withSeed(1);
    GenerationResult result = model.generate("Once upon a time", options, out::print);
    out.println();
    out.println(result.finishReason() + " after " + result.counts().generated() + " tokens");
    return result;
  }

  static void callback(LanguageModel model, GenerationOptions options, PrintStream out) {
    TextGenerator generator = new TextGenerator(model, model.newSession());
    int[] prompt = model.tokenizer().encode("Once upon a time");
    generator.generate(prompt, options, event -> out.print(event.text()));
  }

  static void stream(TextGenerator generator, int[] prompt, GenerationOptions options) {
    try (Stream<GenerationEvent> events = generator.start(prompt, options).stream()) {
      events.map(GenerationEvent::text).limit(10).forEach(System.out::print);
    }
  }

  static void publish(
      TextGenerator generator,
      int[] prompt,
      GenerationOptions options,
      Flow.Subscriber<GenerationEvent> subscriber) {
    generator.start(prompt, options).publisher().subscribe(subscriber);
  }

  static GenerationResult cancel(TextGenerator generator, int[] prompt, GenerationOptions options) {
    Generation generation = generator.start(prompt, options);
    CompletableFuture.runAsync(generation::cancel); // from any thread
    while (true) {
      if (generation.next() instanceof GenerationEvent.Finished end) {
        return end.result();
      }
    }
  }

  static void probabilities(LanguageModel model, PrintStream out) {
    GenerationOptions options = GenerationOptions.greedy().withMaxTokens(5).withLogProbabilities(3);
    GenerationResult result = model.generate("The old", options, text -> {});
    result
        .logProbabilities()
        .forEach(
            place ->
                place
                    .likeliest()
                    .forEach(
                        token ->
                            out.printf(
                                "%s %.2f%n",
                                model.tokenizer().decode(token.id()), token.logProbability())));
  }

  static String schema(LanguageModel model) {
    Constraint constraint =
        model.jsonSchema(
            """
            {
              "type": "object",
              "properties": {
                "name": {"type": "string", "pattern": "^[A-Z][a-z]{1,9}$"},
                "age": {"type": "integer", "minimum": 0, "maximum": 30},
                "kind": {"enum": ["cat", "dog"]}
              },
              "required": ["name", "age", "kind"]
            }
            """);
    GenerationOptions options = model.defaultOptions().withConstraint(constraint);
    return model.generate("A pet, as JSON:", options, text -> {}).text();
  }

  static ChatReply chat(LanguageModel model, PrintStream out) {
    ChatSession chat = ChatSession.open(model);
    chat.send("Once upon a time there was a fox.");
    ChatReply reply =
        chat.send(
            "One day",
            event -> {
              switch (event) {
                case OutputEvent.Reasoning more -> out.print(more.text());
                case OutputEvent.Answer more -> out.print(more.text());
                case OutputEvent.Call call -> out.print(call.call());
                case OutputEvent.BrokenCall call -> out.print(call.problem());
              }
            });
    out.println();
    out.println(reply.result().counts().reused() + " tokens were not read again");
    return reply;
  }

  static ChatSettings tools(LanguageModel model) {
    ToolDefinition weather =
        new ToolDefinition(
            "weather",
            "The weather at a place",
            Map.of("type", "object", "properties", Map.of("place", Map.of("type", "string"))));
    return ChatSettings.of(model.defaultOptions().withThinkingBudget(500))
        .withTools(weather)
        .withThinking(true);
  }

  static Message answerCalls(ChatSession chat) {
    ChatTurn turn = chat.start(Message.user("What is the weather in Oslo?"));
    turn.forEachRemaining(event -> {});
    List<Message> results =
        turn.reply().message().toolCalls().stream()
            .<Message>map(call -> Message.tool("sunny in " + call.arguments().get("place")))
            .toList();
    if (results.isEmpty()) {
      return turn.reply().message();
    }
    ChatTurn answer = chat.start(results.toArray(Message[]::new));
    answer.forEachRemaining(event -> {});
    return answer.reply().message();
  }

  static void keep(ChatSession chat, Path file) throws IOException {
    chat.save(file); // and the model's state beside it
    chat.reset();
    chat.load(file);
    chat.undo(); // the last message and its answer
  }

  static void state(LanguageModel model, Path file, PrintStream out) throws IOException {
    Session session = model.newSession();
    session.read(model.tokenizer().encode("Once upon a time there was a fox."));
    Session fork = session.fork(); // goes its own way
    Snapshot snapshot = session.snapshot();
    int[] longer = session.followedBy(model.tokenizer().encode(" He lived in a wood."));
    Reading reading = session.read(longer);
    out.println(reading.reused() + " tokens reused, " + reading.read() + " read");
    session.rollback(5);
    session.restore(snapshot);
    session.save(file);
    fork.load(file); // also in another process
  }

  static GenerationResult goOn(LanguageModel model, GenerationOptions options) {
    Session session = model.newSession();
    TextGenerator generator = new TextGenerator(model, session);
    generator.generate(model.tokenizer().encode("Once upon a time"), options, event -> {});
    int[] prompt = session.followedBy(model.tokenizer().encode(" And then"));
    return generator.generate(prompt, options, event -> {});
  }

  static String langChain4j(LanguageModel model) {
    ChatModel chat =
        GdnChatModel.builder()
            .model(model)
            .defaultRequestParameters(
                ChatRequestParameters.builder().temperature(0.7).maxOutputTokens(60).build())
            .build();
    return chat.chat("Once upon a time");
  }

  static void streamToLangChain4j(LanguageModel model, StreamingChatResponseHandler handler) {
    StreamingChatModel chat =
        GdnStreamingChatModel.builder()
            .model(model)
            .thinking(true)
            .generationOptions(model.defaultOptions().withMaxTokens(60).withSeed(1).withMinP(0.05f))
            .build();
    chat.chat("Once upon a time", handler);
  }
}
