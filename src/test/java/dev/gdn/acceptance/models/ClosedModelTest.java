package dev.gdn.acceptance.models;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.gdn.demo.DemoModel;
import dev.gdn.model.Generation;
import dev.gdn.model.LanguageModel;
import dev.gdn.model.Session;
import dev.gdn.model.Snapshot;
import dev.gdn.model.TextGenerator;
import dev.gdn.model.generation.GenerationEvent;
import dev.gdn.model.generation.GenerationOptions;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Flow;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Every use of a closed model ends with the exception that says so, whenever that comes. */
class ClosedModelTest {
  private static final Path FOLDER = DemoModel.extract();

  /** Model, prompt and text are such that a generation takes longer than it is left to. */
  private static final GenerationOptions ENDLESS =
      GenerationOptions.greedy().withMaxTokens(100_000).withLogitBias(Map.of(4032, -100f));

  private static final int ROUNDS = 20;

  @TempDir Path folder;

  private static void assertClosed(Throwable end) {
    assertInstanceOf(IllegalStateException.class, end);
    assertEquals("the model " + FOLDER + " is closed", end.getMessage());
  }

  private static int[] prompt(LanguageModel model) {
    return model.tokenizer().encode("Once upon a time there was a fox. ".repeat(12));
  }

  // At moments that differ: within the prompt, between tokens and within one.
  private static void pause(int round) throws InterruptedException {
    Thread.sleep(round * 7L);
  }

  @Test
  void closingEndsAGenerationWithTheExceptionThatSaysSo() throws InterruptedException {
    for (int round = 0; round < ROUNDS; round++) {
      LanguageModel model = LanguageModel.open(FOLDER);
      Session session = model.newSession();
      int[] prompt = prompt(model);
      CompletableFuture<Void> generation =
          CompletableFuture.runAsync(
              () -> new TextGenerator(model, session).generate(prompt, ENDLESS, event -> {}),
              command -> new Thread(command, "generation").start());
      pause(round);
      model.close();
      assertClosed(assertThrows(CompletionException.class, generation::join).getCause());
    }
  }

  @Test
  void aSubscriberIsToldTheSame() throws InterruptedException {
    for (int round = 0; round < ROUNDS; round++) {
      LanguageModel model = LanguageModel.open(FOLDER);
      Generation generation =
          new TextGenerator(model, model.newSession()).start(prompt(model), ENDLESS);
      CompletableFuture<Void> end = new CompletableFuture<>();
      generation.publisher().subscribe(new Patient(end));
      pause(round);
      model.close();
      assertClosed(assertThrows(CompletionException.class, end::join).getCause());
    }
  }

  private record Patient(CompletableFuture<Void> end) implements Flow.Subscriber<GenerationEvent> {
    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(GenerationEvent event) {
      // The end alone is looked at.
    }

    @Override
    public void onError(Throwable failure) {
      end.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
      end.complete(null);
    }
  }

  @Test
  void everyCallAfterwardsIsRefused() {
    LanguageModel model = LanguageModel.open(FOLDER);
    Session session = model.newSession();
    session.prefill(1, 2, 3);
    Snapshot snapshot = session.snapshot();
    Path file = folder.resolve("session");
    model.close();
    Map<String, Executable> calls =
        Map.ofEntries(
            Map.entry("prefill", () -> session.prefill(1)),
            Map.entry("read", () -> session.read(1, 2)),
            Map.entry("decode", () -> session.decode(1)),
            Map.entry("clear", session::clear),
            Map.entry("rollback", () -> session.rollback(1)),
            Map.entry("fork", session::fork),
            Map.entry("snapshot", session::snapshot),
            Map.entry("restore", () -> session.restore(snapshot)),
            Map.entry("logits", session::logits),
            Map.entry("save", () -> session.save(file)),
            Map.entry("load", () -> session.load(file)),
            Map.entry("newSession", model::newSession),
            Map.entry("generate", () -> model.generate("a", ENDLESS, text -> {})));
    calls.forEach(
        (name, call) -> assertClosed(assertThrows(IllegalStateException.class, call, name)));
    assertEquals(3, session.position());
  }
}
