package dev.gdn.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gdn.core.concurrent.Workers;
import dev.gdn.model.generation.FinishReason;
import dev.gdn.model.generation.GenerationEvent;
import dev.gdn.model.generation.GenerationOptions;
import dev.gdn.model.generation.GenerationResult;
import dev.gdn.model.gguf.FileType;
import dev.gdn.model.observer.ForwardObserver;
import dev.gdn.model.synth.TinyCheckpoint;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class GenerationTest {
  private static final GenerationOptions GREEDY = GenerationOptions.greedy().withMaxTokens(30);

  @TempDir private static Path folder;
  private static Path checkpoint;
  private static LanguageModel model;

  @BeforeAll
  static void open() throws IOException {
    checkpoint = TinyCheckpoint.write(folder, TinyCheckpoint.LONG, FileType.Q8_0);
    model = LanguageModel.open(checkpoint);
  }

  @AfterAll
  static void close() {
    model.close();
  }

  private static int[] ids(String text) {
    return model.tokenizer().encode(text, true);
  }

  private static GenerationResult generate(String prompt, GenerationOptions options) {
    return new TextGenerator(model, model.newSession()).generate(ids(prompt), options, event -> {});
  }

  @Test
  void theSameSeedGivesTheSameTextOnAnyNumberOfThreads() {
    GenerationOptions options =
        GenerationOptions.defaults()
            .withMaxTokens(40)
            .withPenalties(1.1f, 0.2f, 0.1f)
            .withMinP(0.01f)
            .withSeed(11);
    List<Integer> expected = generate("hello", options).tokens();
    for (int threads : new int[] {1, 3}) {
      try (Workers workers = Workers.of(threads);
          LanguageModel same =
              LanguageModel.open(checkpoint, ModelOptions.defaults().withWorkers(workers))) {
        GenerationResult result =
            new TextGenerator(same, same.newSession()).generate(ids("hello"), options, event -> {});
        assertEquals(expected, result.tokens());
      }
    }
    assertFalse(expected.equals(generate("hello", options.withSeed(12)).tokens()));
  }

  @Test
  void stopStringsEndTheTextAndAreNoPartOfIt() {
    String whole = generate("hello", ascii(GREEDY)).text();
    String stop = whole.substring(13, 16);
    List<GenerationEvent> events = new ArrayList<>();
    GenerationResult result =
        new TextGenerator(model, model.newSession())
            .generate(ids("hello"), ascii(GREEDY).withStopStrings("never", stop), events::add);
    assertEquals(FinishReason.STOP_STRING, result.finishReason());
    assertEquals(Optional.of(stop), result.stopString());
    assertEquals(whole.substring(0, whole.indexOf(stop)), result.text());
    assertEquals(result.text(), text(events));
  }

  private static String text(List<GenerationEvent> events) {
    return events.stream().map(GenerationEvent::text).collect(Collectors.joining());
  }

  /** Bans what is no letter or digit. */
  static GenerationOptions ascii(GenerationOptions options) {
    Map<Integer, Float> bias = new HashMap<>();
    for (int id = 0; id < model.tokenizer().vocabularySize(); id++) {
      for (byte value : model.tokenizer().bytes(id)) {
        if (!Character.isLetterOrDigit(value)) {
          bias.put(id, Float.NEGATIVE_INFINITY);
        }
      }
    }
    return options.withLogitBias(bias);
  }

  @Test
  void logProbabilitiesAreThoseOfTheModel() {
    GenerationResult result = generate("hello", GREEDY.withLogProbabilities(3));
    assertEquals(result.tokens().size(), result.logProbabilities().size());
    for (int i = 0; i < result.tokens().size(); i++) {
      assertEquals(result.tokens().get(i), result.logProbabilities().get(i).chosen().id());
      // Greedy takes the likeliest.
      assertEquals(
          result.logProbabilities().get(i).chosen(),
          result.logProbabilities().get(i).likeliest().getFirst());
    }
    // A bias changes the choice and not what is reported.
    int other = result.logProbabilities().getFirst().likeliest().get(2).id();
    GenerationResult biased =
        generate(
            "hello",
            GREEDY.withMaxTokens(1).withLogProbabilities(3).withLogitBias(Map.of(other, 1e6f)));
    assertEquals(
        result.logProbabilities().getFirst().likeliest(),
        biased.logProbabilities().getFirst().likeliest());
    assertEquals(other, biased.logProbabilities().getFirst().chosen().id());
  }

  @Test
  void aThoughtEndsAtItsBudget() {
    int end = model.tokenizer().specialId("</think>").orElseThrow();
    GenerationOptions options = ascii(GREEDY);
    for (int budget : new int[] {0, 1, 7}) {
      GenerationResult result = generate("why<think>\n", options.withThinkingBudget(budget));
      assertEquals(end, result.tokens().get(budget));
      assertEquals(budget, result.tokens().indexOf(end));
      assertEquals(budget + 1, result.counts().reasoning());
      assertEquals(30, result.counts().generated());
    }
    assertEquals(30, generate("why<think>\n", options).counts().reasoning());
    assertEquals(0, generate("why", options.withThinkingBudget(3)).counts().reasoning());
    // A thought that the model opens.
    int begin = model.tokenizer().specialId("<think>").orElseThrow();
    GenerationResult opened =
        generate("why", GREEDY.withLogitBias(Map.of(begin, 1e6f)).withThinkingBudget(4));
    assertEquals(end, opened.tokens().get(4));
    assertEquals(5, opened.counts().reasoning());
  }

  @Test
  void aConstraintHoldsBehindAThought() throws IOException {
    GenerationOptions options =
        GenerationOptions.defaults()
            .withSeed(4)
            .withThinkingBudget(5)
            .withConstraint(
                model.jsonSchema(
                    """
                    {"properties": {"ok": {"type": "boolean"},
                      "name": {"type": "string", "maxLength": 8}},
                     "required": ["ok", "name"]}\
                    """));
    for (String prompt : List.of("json<think>", "json")) {
      GenerationResult result = generate(prompt, options);
      assertEquals(FinishReason.CONSTRAINT_MET, result.finishReason());
      assertEquals(prompt.equals("json") ? 0 : 6, result.counts().reasoning());
      String answer = result.text().substring(result.text().lastIndexOf("</think>") + 1);
      answer = answer.substring(answer.indexOf('{'));
      assertTrue(new ObjectMapper().readTree(answer).get("ok").isBoolean(), answer);
    }
  }

  @Test
  void cancellingWithinAPromptLeavesTheSessionUsable() {
    Session session = model.newSession();
    int[] prompt = ids("a ".repeat(900));
    Generation[] running = new Generation[1];
    ForwardObserver canceller =
        new ForwardObserver() {
          @Override
          public void progress(int done, int total) {
            if (done > 0) {
              running[0].cancel();
            }
          }
        };
    running[0] = new TextGenerator(model, session).start(prompt, new int[0], GREEDY, canceller);
    GenerationEvent.Finished end = (GenerationEvent.Finished) running[0].next();
    assertEquals(FinishReason.CANCELLED, end.result().finishReason());
    assertTrue(session.position() > 0 && session.position() < prompt.length);
    assertFalse(running[0].hasNext());
    int taken = session.position();
    GenerationResult again = new TextGenerator(model, session).generate(prompt, GREEDY, e -> {});
    assertEquals(taken, again.counts().reused());
    assertEquals(
        generate("hello", GREEDY).tokens(),
        new TextGenerator(model, session).generate(ids("hello"), GREEDY, event -> {}).tokens());
  }

  @Test
  void promptsAreReadFromWhereOthersWereRead() {
    Session session = model.newSession();
    TextGenerator generator = new TextGenerator(model, session);
    int[] prompt = ids("c ".repeat(100));
    GenerationResult first = generator.generate(prompt, GREEDY, event -> {});
    int[] longer = session.followedBy(ids("and more"));
    int position = session.position();
    assertEquals(position, longer.length - ids("and more").length);
    assertEquals(position, generator.generate(longer, GREEDY, e -> {}).counts().reused());
    // The first prompt again, by the same generator and another one.
    for (Session other : List.of(session, model.newSession())) {
      GenerationResult again = new TextGenerator(model, other).generate(prompt, GREEDY, e -> {});
      assertEquals(prompt.length, again.counts().reused());
      assertEquals(first.tokens(), again.tokens());
    }
    // Another model has read nothing.
    try (LanguageModel same = LanguageModel.open(checkpoint)) {
      GenerationResult cold =
          new TextGenerator(same, same.newSession()).generate(prompt, GREEDY, e -> {});
      assertEquals(0, cold.counts().reused());
      assertEquals(first.tokens(), cold.tokens());
    }
  }

  @Test
  void cancellingAndInterruptsEndItAtTheNextToken() {
    Session session = model.newSession();
    List<GenerationEvent> events = new ArrayList<>();
    GenerationResult result =
        new TextGenerator(model, session)
            .generate(
                ids("hello"),
                GREEDY,
                event -> {
                  events.add(event);
                  if (events.size() == 3) {
                    Thread.currentThread().interrupt();
                  }
                });
    assertEquals(FinishReason.CANCELLED, result.finishReason());
    assertEquals(3, result.counts().generated());
    assertFalse(Thread.currentThread().isInterrupted());
    Generation generation = new TextGenerator(model, session).start(ids("more"), GREEDY);
    generation.next();
    CompletableFuture.runAsync(generation::cancel).join();
    GenerationEvent last = generation.next();
    assertEquals(FinishReason.CANCELLED, ((GenerationEvent.Finished) last).result().finishReason());
  }

  @Test
  void callbackStreamAndPublisherGiveTheSame() throws Exception {
    String expected = generate("hello", GREEDY).text();
    try (Stream<GenerationEvent> stream =
        new TextGenerator(model, model.newSession()).start(ids("hello"), GREEDY).stream()) {
      assertEquals(expected, text(stream.toList()));
    }
    CompletableFuture<List<GenerationEvent>> published = new CompletableFuture<>();
    new TextGenerator(model, model.newSession())
        .start(ids("hello"), GREEDY)
        .publisher()
        .subscribe(
            new Flow.Subscriber<>() {
              private final List<GenerationEvent> events = new ArrayList<>();
              private Flow.Subscription subscription;

              @Override
              public void onSubscribe(Flow.Subscription given) {
                subscription = given;
                subscription.request(1);
              }

              @Override
              public void onNext(GenerationEvent event) {
                events.add(event);
                subscription.request(1);
              }

              @Override
              public void onError(Throwable failure) {
                published.completeExceptionally(failure);
              }

              @Override
              public void onComplete() {
                published.complete(events);
              }
            });
    assertEquals(expected, text(published.get(60, TimeUnit.SECONDS)));
  }

  @Test
  void badArgumentsAreNamed() {
    TextGenerator generator = new TextGenerator(model, model.newSession());
    assertRefused("logit bias", () -> generate("a", GREEDY.withLogitBias(Map.of(320, 1f))));
    assertRefused("prompt", () -> generate("", GREEDY));
    assertRefused("prompt", () -> generator.start(new int[] {320}, GREEDY));
    for (int border : new int[] {-1, 2}) {
      assertRefused(
          "borders",
          () -> generator.start(new int[] {1}, new int[] {border}, GREEDY, ForwardObserver.NONE));
    }
    assertEquals(FinishReason.MAX_TOKENS, generate("a", GREEDY.withMaxTokens(0)).finishReason());
  }

  private static void assertRefused(String option, Runnable call) {
    String message = assertThrows(IllegalArgumentException.class, call::run).getMessage();
    assertTrue(message.startsWith(option + ": expected"), message);
  }
}
