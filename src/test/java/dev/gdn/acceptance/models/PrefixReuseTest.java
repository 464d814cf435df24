package dev.gdn.acceptance.models;

import static dev.gdn.acceptance.models.Checkpoints.assertNear;
import static dev.gdn.acceptance.models.Checkpoints.tokens;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gdn.core.tensor.TokenTensor;
import dev.gdn.model.LanguageModel;
import dev.gdn.model.ModelOptions;
import dev.gdn.model.Reading;
import dev.gdn.model.Session;
import dev.gdn.model.observer.ForwardObserver;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.CancellationException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A prompt that begins as an earlier one did is read from there on. */
class PrefixReuseTest {
  private static final Path FOLDER = Path.of("resources/fixtures/models/qwen3_5");

  private static int[] joined(int[]... pieces) {
    return Arrays.stream(pieces).flatMapToInt(IntStream::of).toArray();
  }

  @ParameterizedTest
  @MethodSource("dev.gdn.acceptance.models.Checkpoints#all")
  void aConversationReadsOnlyWhatIsNew(Path checkpoint) {
    int[] system = tokens(150, 1);
    int[] question = tokens(80, 2);
    int[] answer = tokens(30, 3);
    int[] edited = tokens(90, 4);
    try (LanguageModel model = Checkpoints.open(checkpoint)) {
      Session session = model.newSession();
      int[] first = joined(system, question);
      int[] borders = {150};
      Reading reading = session.read(first, borders, ForwardObserver.NONE);
      assertReading(0, 230, reading);
      for (int id : answer) {
        session.decode(id);
      }
      int[] second = joined(first, answer, tokens(20, 5));
      assertReading(260, 20, session.read(second));
      assertNear(coldLast(model, second), session.logits(), "second turn");

      // The last message is edited: from the system's end on.
      int[] other = joined(system, edited);
      assertReading(150, 90, session.read(other));
      assertNear(coldLast(model, other), session.logits(), "edited");

      // The first question again, from another session.
      Session stranger = model.newSession();
      assertReading(230, 0, stranger.read(first));
      assertArrayEquals(coldLast(model, first), stranger.logits(), 1e-4f);
      assertEquals(230, stranger.position());
    }
  }

  private static float[] coldLast(LanguageModel model, int[] ids) {
    return model.newSession().prefill(ids).clone();
  }

  private static void assertReading(int reused, int read, Reading reading) {
    assertEquals(reused, reading.reused(), "reused");
    assertEquals(read, reading.read(), "read");
  }

  @Test
  void fromARegularStopTheArithmeticIsTheSame() {
    try (LanguageModel model = LanguageModel.open(FOLDER)) {
      int[] shared = tokens(1100, 6);
      int[] one = joined(shared, tokens(50, 7));
      int[] other = joined(shared, tokens(300, 8));
      Session session = model.newSession();
      assertReading(0, 1150, session.read(one));
      assertReading(1024, 376, session.read(other));
      assertArrayEquals(coldLast(model, other), session.logits());
      assertReading(1150, 0, session.read(one));
      assertArrayEquals(coldLast(model, one), session.logits());
    }
  }

  @Test
  void plainPrefillLeavesSnapshotsTooAndIsNotChangedByThem() {
    try (LanguageModel model = LanguageModel.open(FOLDER)) {
      int[] ids = tokens(1300, 9);
      Session session = model.newSession();
      float[] expected = session.prefill(ids).clone();
      session.clear();
      assertArrayEquals(expected, session.prefill(ids));
      assertReading(1024, 76, model.newSession().read(Arrays.copyOf(ids, 1100)));
    }
  }

  @Test
  void withoutABudgetNothingIsKept() {
    try (LanguageModel model =
        LanguageModel.open(FOLDER, ModelOptions.defaults().withSnapshotBytes(0))) {
      Session session = model.newSession();
      session.read(tokens(1300, 10));
      assertReading(0, 1200, session.read(tokens(1200, 10)));
      int[] longer = joined(tokens(1200, 10), tokens(10, 11));
      assertReading(1200, 10, session.read(longer));
      assertReading(1210, 0, session.read(longer));
    }
  }

  @Test
  void badBordersChangeNothing() {
    try (LanguageModel model = LanguageModel.open(FOLDER)) {
      Session session = model.newSession();
      session.prefill(1, 2, 3);
      for (int border : new int[] {-1, 6}) {
        String message =
            assertThrows(
                    IllegalArgumentException.class,
                    () -> session.read(tokens(5, 1), new int[] {2, border}, ForwardObserver.NONE))
                .getMessage();
        assertTrue(message.contains("from 0 to 5"), message);
      }
      assertEquals(3, session.position());
    }
  }

  @Test
  void aPromptIsCancelledWithinABlockAndTheSessionStandsBeforeIt() {
    try (LanguageModel model = LanguageModel.open(FOLDER)) {
      int[] ids = tokens(1200, 12);
      float[] expected = coldLast(model, ids);
      for (boolean interrupt : new boolean[] {false, true}) {
        for (int block : new int[] {0, 512, 1024}) {
          model.newSession().clear();
          Session session = model.newSession();
          ForwardObserver canceller =
              new ForwardObserver() {
                @Override
                public void hidden(int layer, int position, int tokens, TokenTensor hidden) {
                  if (position == block && layer == 2) {
                    if (interrupt) {
                      Thread.currentThread().interrupt();
                    } else {
                      Thread other = new Thread(session::cancel);
                      other.start();
                      join(other);
                    }
                  }
                }
              };
          assertThrows(CancellationException.class, () -> session.prefill(ids, canceller));
          assertEquals(block, session.position());
          assertThrows(IllegalStateException.class, session::logits);
          assertArrayEquals(expected, session.prefill(Arrays.copyOfRange(ids, block, ids.length)));
        }
      }
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aCancelledPromptIsGoneOnWith() {
    try (LanguageModel model = LanguageModel.open(FOLDER)) {
      int[] ids = tokens(1200, 13);
      Session session = model.newSession();
      int[] asked = {0};
      ForwardObserver canceller =
          new ForwardObserver() {
            @Override
            public boolean isCancelled() {
              return ++asked[0] > 7;
            }
          };
      assertThrows(CancellationException.class, () -> session.read(ids, new int[0], canceller));
      assertEquals(512, session.position());
      // One without a call in progress is no cancellation.
      session.cancel();
      assertReading(512, 688, session.read(ids));
      assertArrayEquals(coldLast(model, ids), session.logits());
    }
  }
}
