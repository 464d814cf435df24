package dev.gdn.acceptance.models;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gdn.core.concurrent.Workers;
import dev.gdn.core.tensor.TokenTensor;
import dev.gdn.model.LanguageModel;
import dev.gdn.model.ModelOptions;
import dev.gdn.model.Session;
import dev.gdn.model.error.ContextFullException;
import dev.gdn.model.observer.ForwardObserver;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** What a session promises beside its numbers. */
class SessionTest {
  private static final Path FOLDER = Path.of("resources/fixtures/models/qwen3_5_gva3_tied");

  private static int[] tokens(int count, long seed) {
    return new Random(seed).ints(count, 0, 256).toArray();
  }

  @Test
  void aClearedSessionIsBitForBitANewOne() {
    try (LanguageModel model = LanguageModel.open(FOLDER)) {
      Session used = model.newSession();
      used.prefill(tokens(700, 1));
      used.decode(3);
      used.clear();
      assertEquals(0, used.position());
      assertArrayEquals(
          model.newSession().prefill(tokens(90, 2)).clone(), used.prefill(tokens(90, 2)));
    }
  }

  @Test
  void interleavedSessionsDoNotTouchEachOther() {
    try (LanguageModel model = LanguageModel.open(FOLDER)) {
      Session alone = model.newSession();
      alone.prefill(tokens(70, 3));
      float[] expected = alone.decode(9).clone();
      Session one = model.newSession();
      Session other = model.newSession();
      one.prefill(tokens(70, 3));
      other.prefill(tokens(80, 4));
      other.decode(200);
      assertArrayEquals(expected, one.decode(9));
    }
  }

  @Test
  void logitsAreBitIdenticalForAnyNumberOfThreads() {
    float[] expected = null;
    for (int threads : new int[] {1, 2, 3, 5}) {
      try (Workers workers = Workers.of(threads);
          LanguageModel model =
              LanguageModel.open(FOLDER, ModelOptions.defaults().withWorkers(workers))) {
        Session session = model.newSession();
        session.prefill(tokens(600, 5));
        float[] logits = session.decode(17).clone();
        if (expected != null) {
          assertArrayEquals(expected, logits, threads + " threads");
        }
        expected = logits;
      }
    }
  }

  @Test
  void aModelIsSharedByThreads() {
    try (LanguageModel model = LanguageModel.open(FOLDER)) {
      CompletableFuture<?>[] conversations = new CompletableFuture<?>[4];
      for (int i = 0; i < conversations.length; i++) {
        int seed = i;
        float[] expected = model.newSession().prefill(tokens(100, seed)).clone();
        conversations[i] =
            CompletableFuture.runAsync(
                () -> {
                  for (int round = 0; round < 5; round++) {
                    assertArrayEquals(expected, model.newSession().prefill(tokens(100, seed)));
                  }
                });
      }
      CompletableFuture.allOf(conversations).join();
    }
  }

  @Test
  void aSecondThreadIsRefused() {
    try (LanguageModel model = LanguageModel.open(FOLDER)) {
      Session session = model.newSession();
      ForwardObserver intruder =
          new ForwardObserver() {
            @Override
            public void hidden(int layer, int position, int tokens, TokenTensor hidden) {
              if (layer == 0) {
                Throwable refusal =
                    CompletableFuture.supplyAsync(
                            () ->
                                assertThrows(IllegalStateException.class, () -> session.decode(1)))
                        .join();
                assertTrue(refusal.getMessage().contains("one thread at a time"));
              }
            }
          };
      session.prefill(tokens(3, 6), intruder);
      assertEquals(3, session.position());
      session.decode(1);
    }
  }

  @Test
  void badTokensChangeNothing() {
    try (LanguageModel model = LanguageModel.open(FOLDER)) {
      Session session = model.newSession();
      session.prefill(1, 2, 3);
      assertMessage("found none", IllegalArgumentException.class, () -> session.prefill());
      assertMessage(
          "from 0 to 255, found 256",
          IllegalArgumentException.class,
          () -> session.prefill(4, 256));
      assertMessage(
          "token: expected an id from 0 to 255, found -1",
          IllegalArgumentException.class,
          () -> session.decode(-1));
      assertMessage("prompt", NullPointerException.class, () -> session.read(null));
      assertMessage("ids", NullPointerException.class, () -> session.prefill((int[]) null));
      assertMessage("snapshot", NullPointerException.class, () -> session.restore(null));
      assertMessage("file", NullPointerException.class, () -> session.save(null));
      assertMessage("file", NullPointerException.class, () -> session.load(null));
      assertEquals(3, session.position());
      Session clean = model.newSession();
      clean.prefill(1, 2, 3);
      assertArrayEquals(clean.decode(4).clone(), session.decode(4));
    }
  }

  @Test
  void aFullContextIsRefusedAndLeavesTheSessionUsable() {
    try (LanguageModel model =
        LanguageModel.open(FOLDER, ModelOptions.defaults().withContext(10))) {
      Session session = model.newSession();
      session.prefill(tokens(8, 7));
      assertMessage(
          "8 tokens are held and 3 more do not fit",
          ContextFullException.class,
          () -> session.prefill(1, 2, 3));
      session.decode(1);
      session.decode(2);
      assertEquals(0, session.remaining());
      assertThrows(ContextFullException.class, () -> session.decode(3));
    }
  }

  @Test
  void anInterruptedPromptEndsAtABlockBorder() {
    try (LanguageModel model = LanguageModel.open(FOLDER)) {
      int[] ids = tokens(1_500, 8);
      Session session = model.newSession();
      ForwardObserver interrupter =
          new ForwardObserver() {
            @Override
            public void progress(int done, int total) {
              assertEquals(ids.length, total);
              Thread.currentThread().interrupt();
            }
          };
      assertThrows(CancellationException.class, () -> session.prefill(ids, interrupter));
      int taken = session.position();
      assertTrue(taken > 0 && taken < ids.length, "taken " + taken);
      float[] rest = session.prefill(Arrays.copyOfRange(ids, taken, ids.length)).clone();
      assertArrayEquals(model.newSession().prefill(ids), rest);
    }
  }

  @Test
  void afterCloseThereIsAClearException() {
    LanguageModel model = LanguageModel.open(FOLDER);
    Session session = model.newSession();
    session.prefill(1);
    model.close();
    model.close();
    assertMessage("is closed", IllegalStateException.class, () -> session.decode(1));
    assertMessage("is closed", IllegalStateException.class, model::newSession);
  }

  @Test
  void aSessionWhoseModelIsClosedUnderItFailsClearlyAndIsRefusedAfterwards() {
    LanguageModel model = LanguageModel.open(FOLDER);
    Session session = model.newSession();
    ForwardObserver closer =
        new ForwardObserver() {
          @Override
          public void hidden(int layer, int position, int tokens, TokenTensor hidden) {
            model.close();
          }
        };
    assertThrows(IllegalStateException.class, () -> session.prefill(tokens(5, 9), closer));
    assertThrows(IllegalStateException.class, () -> session.decode(1));
  }

  private static void assertMessage(String part, Class<? extends Exception> type, Executable call) {
    String message = assertThrows(type, call).getMessage();
    assertTrue(message.contains(part), message);
  }
}
