package dev.gdn.core.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gdn.core.tensor.TokenTensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class KeyValueCacheTest {
  private static final int HEADS = 2;
  private static final int KEY = 3;

  @ParameterizedTest
  @EnumSource
  void tokensStandWhereAttentionLooksForThem(KeyValueType type) {
    KeyValueCache cache = new KeyValueCache(type, HEADS, KEY, 1);
    for (int tokens : new int[] {1, 254, 3, 300}) {
      append(cache, tokens, 0);
    }
    assertEquals(558, cache.length());
    assertHolds(cache, 558, 0);
    cache.clear();
    assertEquals(0, cache.length());
  }

  @ParameterizedTest
  @EnumSource
  void forksShareTheirPagesUntilOneWrites(KeyValueType type) {
    KeyValueCache cache = new KeyValueCache(type, HEADS, KEY, 1);
    append(cache, 300, 0);
    KeyValueCache fork = cache.fork();
    assertSame(cache.keyPage(0), fork.keyPage(0));
    assertSame(cache.valuePage(1), fork.valuePage(1));
    append(fork, 10, 500);
    assertSame(cache.keyPage(0), fork.keyPage(0));
    assertNotSame(cache.keyPage(1), fork.keyPage(1));
    CachePage before = cache.keyPage(1);
    append(cache, 5, 700);
    assertNotSame(before, cache.keyPage(1));
    assertHolds(cache, 300, 0);
    assertHolds(fork, 300, 0);
    assertEquals(500, key(fork, 300, 0));
    assertEquals(700, key(cache, 300, 0));
    assertEquals(310, fork.length());
    assertEquals(305, cache.length());
  }

  @ParameterizedTest
  @EnumSource
  void aTruncatedCacheDoesNotWriteIntoSharedPages(KeyValueType type) {
    KeyValueCache cache = new KeyValueCache(type, HEADS, KEY, 1);
    append(cache, 600, 0);
    KeyValueCache fork = cache.fork();
    cache.truncate(100);
    append(cache, 500, 900);
    assertHolds(fork, 600, 0);
    assertHolds(cache, 100, 0);
    assertEquals(900, key(cache, 100, 1) - 1);
    cache.restore(fork);
    assertHolds(cache, 600, 0);
    assertThrows(IllegalArgumentException.class, () -> cache.truncate(601));
    assertThrows(IllegalArgumentException.class, () -> cache.truncate(-1));
  }

  @Test
  void anotherCacheIsNotRestored() {
    KeyValueCache cache = new KeyValueCache(HEADS, KEY, 1);
    for (KeyValueCache other :
        new KeyValueCache[] {
          new KeyValueCache(KeyValueType.F16, HEADS, KEY, 1), new KeyValueCache(HEADS, KEY, 2)
        }) {
      String message =
          assertThrows(IllegalArgumentException.class, () -> cache.restore(other)).getMessage();
      assertTrue(message.contains("expected F32, 2 heads of 3 and 1, found"), message);
    }
  }

  @Test
  void halvesBeyondTheLargestBecomeTheLargest() {
    KeyValueCache cache = new KeyValueCache(KeyValueType.F16, 1, 3, 1);
    float[] keys = {70000, Float.NEGATIVE_INFINITY, Float.NaN};
    cache.append(TokenTensor.of(keys, 1, 3), TokenTensor.of(new float[] {1e-9f}, 1, 1), 1);
    CacheRows rows = new CacheRows();
    rows.show(cache.keyPage(0), 0, 3, 3);
    assertEquals(65504, rows.data()[0]);
    assertEquals(-65504, rows.data()[1]);
    assertEquals(Float.NaN, rows.data()[2]);
    rows.show(cache.valuePage(0), 0, 1, 1);
    assertEquals(0, rows.data()[rows.at()]);
  }

  private static float[] floats(CachePage page) {
    return ((CachePage.Floats) page).data();
  }

  @Test
  void oneVectorIsKeyAndValue() {
    KeyValueCache cache = KeyValueCache.ofOneVector(KeyValueType.F32, 2);
    TokenTensor x = TokenTensor.of(new float[600], 2);
    for (int i = 0; i < 600; i++) {
      x.data()[i] = i;
    }
    cache.append(x, 300);
    assertEquals(300, cache.length());
    assertEquals(2 * 299 + 1, floats(cache.keyPage(1))[2 * (299 - KeyValueCache.PAGE) + 1]);
    assertSame(cache.keyPage(1), cache.valuePage(1));
    assertThrows(IllegalArgumentException.class, () -> cache.append(x, x, 1));
    KeyValueCache two = new KeyValueCache(1, 2, 2);
    assertThrows(IllegalArgumentException.class, () -> two.append(x, 1));
    assertThrows(IllegalArgumentException.class, () -> two.append(cache, new int[] {0}, 1));
  }

  @Test
  void tokensOfAnotherCache() {
    KeyValueCache from = new KeyValueCache(2, 2, 1);
    TokenTensor k = TokenTensor.of(new float[1200], 2, 2);
    TokenTensor v = TokenTensor.of(new float[600], 2, 1);
    for (int i = 0; i < 1200; i++) {
      k.data()[i] = i;
      v.data()[i / 2] = -(i / 2);
    }
    from.append(k, v, 300);
    KeyValueCache to = new KeyValueCache(2, 2, 1);
    int[] tokens = {299, 3, 256, 0};
    to.append(from, tokens, 3);
    assertEquals(3, to.length());
    for (int i = 0; i < 3; i++) {
      for (int h = 0; h < 2; h++) {
        int row = h * KeyValueCache.PAGE + i;
        assertEquals(k.data()[k.at(tokens[i], h) + 1], floats(to.keyPage(0))[2 * row + 1]);
        assertEquals(v.data()[v.at(tokens[i], h)], floats(to.valuePage(0))[row]);
      }
    }
    assertThrows(IndexOutOfBoundsException.class, () -> to.append(from, new int[] {300}, 1));
    assertEquals(3, to.length());
    KeyValueCache other = new KeyValueCache(1, 2, 1);
    assertThrows(IllegalArgumentException.class, () -> to.append(other, tokens, 1));
  }

  @Test
  void viewsThatDoNotFitAreRefused() {
    KeyValueCache cache = new KeyValueCache(2, 3, 1);
    TokenTensor k = TokenTensor.of(new float[6], 2, 3);
    TokenTensor v = TokenTensor.of(new float[2], 2, 1);
    assertThrows(IllegalArgumentException.class, () -> cache.append(k, k, 1));
    assertThrows(IllegalArgumentException.class, () -> cache.append(v, v, 1));
    assertThrows(IllegalArgumentException.class, () -> cache.append(k, v, 2));
    assertEquals(0, cache.length());
    cache.append(k, v, 1);
    assertEquals(1, cache.length());
    KeyValueCache one = KeyValueCache.ofOneVector(KeyValueType.F32, 2);
    assertThrows(IllegalArgumentException.class, () -> one.append(k, 1));
  }

  // Numbers that binary16 holds exactly.
  private static void append(KeyValueCache cache, int tokens, int first) {
    TokenTensor k = TokenTensor.of(new float[tokens * HEADS * KEY], HEADS, KEY);
    TokenTensor v = TokenTensor.of(new float[tokens * HEADS], HEADS, 1);
    int count = first == 0 ? cache.length() : first;
    for (int t = 0; t < tokens; t++, count++) {
      for (int h = 0; h < HEADS; h++) {
        k.data()[k.at(t, h) + 2] = count + h;
        v.data()[v.at(t, h)] = -count - h;
      }
    }
    cache.append(k, v, tokens);
  }

  private static void assertHolds(KeyValueCache cache, int tokens, int first) {
    CacheRows rows = new CacheRows();
    for (int t = 0; t < tokens; t++) {
      for (int h = 0; h < HEADS; h++) {
        assertEquals(first + t + h, key(cache, t, h));
        int row = h * KeyValueCache.PAGE + t % KeyValueCache.PAGE;
        rows.show(cache.valuePage(t / KeyValueCache.PAGE), row, 1, 1);
        assertEquals(-first - t - h, rows.data()[rows.at()]);
      }
    }
  }

  private static float key(KeyValueCache cache, int token, int head) {
    CacheRows rows = new CacheRows();
    int row = head * KeyValueCache.PAGE + token % KeyValueCache.PAGE;
    rows.show(cache.keyPage(token / KeyValueCache.PAGE), row * KEY, KEY, KEY);
    return rows.data()[rows.at() + 2];
  }
}
