package dev.gdn.model.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** With states of no layers, so that one of n tokens takes 4 n bytes. */
class PrefixCacheTest {
  private static final float[] UNKNOWN = null;

  private static SequenceState state(float[] logits, int... tokens) {
    return new SequenceState(List.of(), tokens, logits, false);
  }

  private static int[] upTo(int length) {
    return IntStream.range(0, length).toArray();
  }

  private static int longest(PrefixCache cache, int... prompt) {
    return cache.longest(prompt).map(SequenceState::position).orElse(0);
  }

  @Test
  void theLongestBeginningIsFound() {
    PrefixCache cache = new PrefixCache(1000);
    for (int[] tokens : new int[][] {{1}, {1, 2, 3}, {1, 2, 4, 5}, {7}}) {
      cache.offer(state(UNKNOWN, tokens), false);
    }
    assertEquals(3, longest(cache, 1, 2, 3, 9));
    assertEquals(4, longest(cache, 1, 2, 4, 5, 6));
    assertEquals(1, longest(cache, 1, 2, 4));
    assertEquals(0, longest(cache, 2));
    // As long as the prompt: of use only if what follows is known.
    assertEquals(1, longest(cache, 1, 2, 3));
    cache.offer(state(new float[] {0.5f}, 1, 2, 3), false);
    assertEquals(3, longest(cache, 1, 2, 3));
    assertEquals(List.of(1, 1, 3, 4), cache.positions());
    cache.clear();
    assertEquals(0, longest(cache, 1, 2, 3));
    assertEquals(0, cache.bytes());
  }

  @Test
  void whatGoesOnFromAFileIsNotKept() {
    PrefixCache cache = new PrefixCache(1000);
    cache.offer(new SequenceState(List.of(), upTo(5), new float[] {1}, true), true);
    assertEquals(List.of(), cache.positions());
    SequenceState read = state(UNKNOWN, upTo(5));
    cache.offer(read, false);
    cache.offer(new SequenceState(List.of(), upTo(5), new float[] {1}, true), true);
    assertSame(read, cache.longest(upTo(6)).orElseThrow());
  }

  @Test
  void whatWasForgottenIsCountedAgain() {
    PrefixCache cache = new PrefixCache(1000);
    SequenceState state = state(UNKNOWN, 1, 2);
    cache.offer(state, false);
    cache.clear();
    cache.offer(state, false);
    assertEquals(8, cache.bytes());
  }

  @Test
  void oneIsKeptOfTheSameTokens() {
    PrefixCache cache = new PrefixCache(1000);
    SequenceState first = state(UNKNOWN, 1, 2);
    cache.offer(first, false);
    cache.offer(state(UNKNOWN, 1, 2), true);
    assertEquals(8, cache.bytes());
    assertSame(first, cache.longest(new int[] {1, 2, 3}).orElseThrow());
  }

  @Test
  void ofALongPromptTheStepsThinOut() {
    PrefixCache cache = new PrefixCache(6000);
    for (int length = 100; length <= 1000; length += 100) {
      cache.offer(state(UNKNOWN, upTo(length)), false);
    }
    assertTrue(cache.bytes() <= 6000, cache.bytes() + " bytes");
    assertTrue(cache.positions().getLast() >= 900, "a late one: " + cache.positions());
    assertTrue(cache.positions().getFirst() <= 600, "an early one: " + cache.positions());
  }

  @Test
  void aBorderOutlivesASnapshotOnTheWay() {
    PrefixCache cache = new PrefixCache(4 * 1000);
    int[] system = upTo(200);
    cache.offer(state(UNKNOWN, system), true);
    for (int i = 0; i < 8; i++) {
      int[] other = upTo(300);
      Arrays.fill(other, 200, 300, 1000 + i);
      cache.offer(state(UNKNOWN, other), false);
    }
    assertEquals(200, longest(cache, upTo(250)));
  }

  @Test
  void whatIsUsedStaysAndWhatIsNotGoes() {
    PrefixCache cache = new PrefixCache(400);
    int[] used = IntStream.range(0, 20).map(i -> 5000 + i).toArray();
    int[] prompt = Arrays.copyOf(used, 21);
    cache.offer(state(UNKNOWN, used), false);
    for (int i = 0; i < 50; i++) {
      int[] other = new int[20];
      Arrays.fill(other, i);
      cache.offer(state(UNKNOWN, other), false);
      assertEquals(20, longest(cache, prompt), "after " + i);
    }
    assertEquals(400, cache.bytes());
  }

  @Test
  void neitherBytesNorNumberGrowOverTheirLimits() {
    PrefixCache small = new PrefixCache(2000);
    PrefixCache large = new PrefixCache(Long.MAX_VALUE);
    Random random = new Random(1);
    for (int i = 0; i < 1000; i++) {
      int[] tokens = random.ints(1 + random.nextInt(60), 0, 3).toArray();
      for (PrefixCache cache : List.of(small, large)) {
        cache.offer(state(UNKNOWN, tokens), random.nextBoolean());
      }
      assertTrue(small.bytes() <= 2000);
      assertEquals(4L * small.positions().stream().mapToInt(p -> p).sum(), small.bytes());
    }
    assertEquals(PrefixCache.MOST, large.positions().size());
    small.offer(state(UNKNOWN, new int[501]), true);
    assertTrue(small.bytes() <= 2000);
  }

  @Test
  void withoutABudgetItIsClosed() {
    assertTrue(!new PrefixCache(0).isOpen());
    assertThrows(IllegalArgumentException.class, () -> new PrefixCache(-1));
  }
}
