package dev.gdn.acceptance.models;

import static dev.gdn.acceptance.models.Checkpoints.assertNear;
import static dev.gdn.acceptance.models.Checkpoints.cold;
import static dev.gdn.acceptance.models.Checkpoints.tokens;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gdn.core.kernel.KeyValueType;
import dev.gdn.model.LanguageModel;
import dev.gdn.model.ModelOptions;
import dev.gdn.model.Reading;
import dev.gdn.model.Session;
import dev.gdn.model.Snapshot;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** However a session comes to stand after some tokens, the logits are those of a cold run. */
class StateTest {
  private static final Path FOLDER = Path.of("resources/fixtures/models/qwen3_5");

  @ParameterizedTest
  @MethodSource("dev.gdn.acceptance.models.Checkpoints#all")
  void anySplitOfAPromptIsTheSame(Path checkpoint) {
    try (LanguageModel model = Checkpoints.openWithoutSnapshots(checkpoint)) {
      int[] ids = tokens(700, 1);
      float[][] expected = cold(model, ids);
      Random random = new Random(2);
      Session session = model.newSession();
      for (int most : new int[] {1, 3, 70, 300, 700}) {
        session.clear();
        int count = Math.min(ids.length, 60 * most);
        for (int at = 0; at < count; ) {
          int n = Math.min(count - at, 1 + random.nextInt(most));
          float[] logits =
              n == 1 && random.nextBoolean()
                  ? session.decode(ids[at])
                  : session.prefill(Arrays.copyOfRange(ids, at, at + n));
          at += n;
          assertNear(expected[at - 1], logits, "%d tokens, the last %d at once".formatted(at, n));
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("dev.gdn.acceptance.models.Checkpoints#all")
  void decodeFollowsAPromptOfAnyLength(Path checkpoint) {
    try (LanguageModel model = Checkpoints.openWithoutSnapshots(checkpoint)) {
      int[] ids = tokens(202, 3);
      float[][] expected = cold(model, ids);
      Session session = model.newSession();
      for (int length = 1; length <= 200; length++) {
        session.clear();
        session.prefill(Arrays.copyOf(ids, length));
        assertNear(expected[length], session.decode(ids[length]), "after " + length);
        assertNear(expected[length + 1], session.decode(ids[length + 1]), "1 after " + length);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("dev.gdn.acceptance.models.Checkpoints#all")
  void everyPositionCanBeGoneBackTo(Path checkpoint) {
    try (LanguageModel model = Checkpoints.open(checkpoint)) {
      int[] ids = tokens(90, 4);
      float[][] expected = cold(model, ids);
      Session session = model.newSession();
      session.prefill(Arrays.copyOf(ids, 60));
      for (int i = 60; i < 89; i++) {
        session.decode(ids[i]);
      }
      Snapshot end = session.snapshot();
      for (int position = 88; position > 0; position--) {
        session.restore(end);
        Reading reading = session.rollback(position);
        assertEquals(position, session.position());
        assertEquals(position, reading.reused() + reading.read());
        assertNear(expected[position - 1], session.logits(), "back to " + position);
        assertNear(expected[position], session.decode(ids[position]), "after " + position);
      }
      session.rollback(0);
      assertThrows(IllegalStateException.class, session::logits);
      assertArrayEquals(model.newSession().prefill(ids).clone(), session.prefill(ids));
      assertThrows(IllegalArgumentException.class, () -> session.rollback(91));
      assertThrows(IllegalArgumentException.class, () -> session.rollback(-1));
    }
  }

  @ParameterizedTest
  @MethodSource("dev.gdn.acceptance.models.Checkpoints#all")
  void forksGoTheirOwnWays(Path checkpoint) {
    try (LanguageModel model = Checkpoints.openWithoutSnapshots(checkpoint)) {
      for (int length : new int[] {0, 1, 255, 256, 300}) {
        int[] start = tokens(length, 5);
        Session one = started(model, start);
        Session other = one.fork();
        assertArrayEquals(start, other.tokens());
        Session aloneOne = started(model, start);
        Session aloneOther = started(model, start);
        for (int i = 0; i < 4; i++) {
          assertArrayEquals(aloneOne.decode(i).clone(), one.decode(i), "one, " + length);
          assertArrayEquals(aloneOther.decode(9 - i).clone(), other.decode(9 - i), "other");
        }
        int[] more = tokens(300, 6);
        Session third = other.fork();
        assertArrayEquals(aloneOther.prefill(more).clone(), third.prefill(more));
        assertArrayEquals(aloneOne.prefill(more).clone(), one.prefill(more));
        assertArrayEquals(third.logits().clone(), other.prefill(more));
      }
    }
  }

  private static Session started(LanguageModel model, int[] ids) {
    Session session = model.newSession();
    if (ids.length > 0) {
      session.prefill(ids);
    }
    return session;
  }

  @ParameterizedTest
  @EnumSource
  void aSnapshotIsGoneBackToExactly(KeyValueType type) {
    try (LanguageModel model =
            LanguageModel.open(FOLDER, ModelOptions.defaults().withKeyValueType(type));
        LanguageModel another = LanguageModel.open(FOLDER)) {
      Session session = model.newSession();
      session.prefill(tokens(270, 7));
      float[] there = session.logits().clone();
      Snapshot snapshot = session.snapshot();
      assertEquals(270, snapshot.position());
      assertArrayEquals(tokens(270, 7), snapshot.tokens());
      assertTrue(snapshot.bytes() > 0);
      float[] next = session.prefill(tokens(300, 8)).clone();
      session.restore(snapshot);
      assertArrayEquals(there, session.logits());
      assertArrayEquals(next, session.prefill(tokens(300, 8)));
      Session other = model.newSession();
      other.prefill(1, 2, 3);
      other.restore(snapshot);
      assertArrayEquals(next, other.prefill(tokens(300, 8)));
      assertThrows(IllegalArgumentException.class, () -> another.newSession().restore(snapshot));
    }
  }

  @ParameterizedTest
  @MethodSource("dev.gdn.acceptance.models.Checkpoints#all")
  void aHalfPreciseCacheIsNear(Path checkpoint) {
    try (LanguageModel exact = Checkpoints.open(checkpoint);
        LanguageModel half =
            LanguageModel.open(
                checkpoint, ModelOptions.defaults().withKeyValueType(KeyValueType.F16))) {
      int[] ids = tokens(400, 9);
      float[][] expected = cold(exact, ids);
      float[][] found = cold(half, ids);
      double most = 0;
      for (int t = 0; t < ids.length; t++) {
        for (int i = 0; i < expected[t].length; i++) {
          most = Math.max(most, Math.abs(expected[t][i] - found[t][i]));
        }
      }
      // Roundings of 2^-12 each, which are not there in float32.
      assertTrue(most > 0 && most < 0.02, "differs by " + most);
    }
  }

  @Test
  void whatIsSharedSurvivesTheSessionItComesFrom() {
    try (LanguageModel model = LanguageModel.open(FOLDER)) {
      Session session = model.newSession();
      session.prefill(tokens(400, 10));
      Snapshot snapshot = session.snapshot();
      float[] next = session.decode(5).clone();
      session.clear();
      session.prefill(tokens(900, 11));
      session.restore(snapshot);
      assertArrayEquals(next, session.decode(5));
    }
  }
}
