package dev.gdn.acceptance.models;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.gdn.demo.DemoModel;
import dev.gdn.model.LanguageModel;
import dev.gdn.model.ModelOptions;
import dev.gdn.model.Session;
import dev.gdn.model.TextGenerator;
import dev.gdn.model.error.SessionFileException;
import dev.gdn.model.generation.GenerationOptions;
import dev.gdn.model.observer.ForwardObserver;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A session that is used where it does not belong, or while it generates. */
class SessionUseTest {
  private static final GenerationOptions OPTIONS = GenerationOptions.greedy().withMaxTokens(8);
  private static final int[] PROMPT = {5, 6, 7};

  private static LanguageModel model;

  @BeforeAll
  static void open() {
    model = LanguageModel.open(DemoModel.extract());
  }

  @AfterAll
  static void close() {
    model.close();
  }

  @Test
  void anotherModelsSessionIsRefused() {
    try (LanguageModel other = LanguageModel.open(DemoModel.extract())) {
      Session foreign = other.newSession();
      assertEquals(
          "session: expected one of this model, found another's",
          assertThrows(IllegalArgumentException.class, () -> new TextGenerator(model, foreign))
              .getMessage());
    }
  }

  @Test
  void aListenerThatMovesTheSessionEndsTheGeneration() {
    List<Consumer<Session>> moves =
        List.of(session -> session.decode(9), Session::clear, session -> session.rollback(2));
    for (Consumer<Session> move : moves) {
      Session session = model.newSession();
      TextGenerator generator = new TextGenerator(model, session);
      String message =
          assertThrows(
                  IllegalStateException.class,
                  () -> generator.generate(PROMPT, OPTIONS, event -> move.accept(session)))
              .getMessage();
      assertEquals(
          "the session was used while it generates: expected position 3, found "
              + session.position(),
          message);
      assertEquals(8, generator.generate(PROMPT, OPTIONS, event -> {}).tokens().size());
    }
  }

  @Test
  void soDoesOneThatPutsOtherTokensInItsPlace() {
    List<Consumer<Session>> moves =
        List.of(
            session -> {
              int[] tokens = session.tokens();
              session.rollback(tokens.length - 1);
              session.decode(tokens[tokens.length - 1] + 1);
            },
            session -> {
              int position = session.position();
              session.clear();
              session.prefill(new int[position]);
            });
    for (Consumer<Session> move : moves) {
      Session session = model.newSession();
      String message =
          assertThrows(
                  IllegalStateException.class,
                  () ->
                      new TextGenerator(model, session)
                          .generate(PROMPT, OPTIONS, event -> move.accept(session)))
              .getMessage();
      assertEquals(
          "the session was used while it generates: at position 3, it holds other tokens", message);
    }
  }

  @Test
  void anObserverThatUsesItsSessionIsToldSo() {
    Session session = model.newSession();
    ForwardObserver observer =
        new ForwardObserver() {
          @Override
          public boolean isCancelled() {
            session.decode(9);
            return false;
          }
        };
    assertEquals(
        "a session is not used from within its own calls: this one asks an observer",
        assertThrows(IllegalStateException.class, () -> session.prefill(PROMPT, observer))
            .getMessage());
    assertEquals(0, session.position());
    session.prefill(PROMPT);
    assertEquals(PROMPT.length, session.position());
  }

  @Test
  void aListenerMayLookAtTheSessionAndForkIt() {
    Session session = model.newSession();
    List<Integer> expected =
        new TextGenerator(model, model.newSession())
            .generate(PROMPT, OPTIONS, event -> {})
            .tokens();
    assertEquals(
        expected,
        new TextGenerator(model, session)
            .generate(
                PROMPT,
                OPTIONS,
                event -> {
                  session.snapshot();
                  session.fork().decode(1);
                })
            .tokens());
  }

  @Test
  void aSavedSessionThatIsLongerThanTheContextIsRefusedByThatName(@TempDir Path folder)
      throws IOException {
    Path file = folder.resolve("session");
    Session session = model.newSession();
    session.prefill(new int[12]);
    session.save(file);
    ModelOptions small = ModelOptions.defaults().withContext(4);
    try (LanguageModel other = LanguageModel.open(DemoModel.extract(), small)) {
      Session target = other.newSession();
      assertEquals(
          file + ": expected at most 4 tokens, which is the context, found 12",
          assertThrows(SessionFileException.class, () -> target.load(file)).getMessage());
    }
  }
}
