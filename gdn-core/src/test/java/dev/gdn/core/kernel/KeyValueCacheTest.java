package dev.gdn.core.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.gdn.core.tensor.TokenTensor;
import org.junit.jupiter.api.Test;

class KeyValueCacheTest {
  @Test
  void tokensStandWhereAttentionLooksForThem() {
    KeyValueCache cache = new KeyValueCache(2, 3, 1);
    int count = 0;
    for (int tokens : new int[] {1, 254, 3, 300}) {
      TokenTensor k = TokenTensor.of(new float[tokens * 6], 2, 3);
      TokenTensor v = TokenTensor.of(new float[tokens * 2], 2, 1);
      for (int t = 0; t < tokens; t++, count++) {
        for (int h = 0; h < 2; h++) {
          k.data()[k.at(t, h) + 2] = count * 10 + h;
          v.data()[v.at(t, h)] = -count * 10 - h;
        }
      }
      cache.append(k, v, tokens);
    }
    assertEquals(558, cache.length());
    for (int t = 0; t < count; t++) {
      for (int h = 0; h < 2; h++) {
        int row = h * KeyValueCache.PAGE + t % KeyValueCache.PAGE;
        assertEquals(t * 10 + h, cache.keyPage(t / KeyValueCache.PAGE)[row * 3 + 2]);
        assertEquals(-t * 10 - h, cache.valuePage(t / KeyValueCache.PAGE)[row]);
      }
    }
    cache.clear();
    assertEquals(0, cache.length());
  }

  @Test
  void oneVectorIsKeyAndValue() {
    KeyValueCache cache = KeyValueCache.ofOneVector(2);
    TokenTensor x = TokenTensor.of(new float[600], 2);
    for (int i = 0; i < 600; i++) {
      x.data()[i] = i;
    }
    cache.append(x, 300);
    assertEquals(300, cache.length());
    assertEquals(2 * 299 + 1, cache.keyPage(1)[2 * (299 - KeyValueCache.PAGE) + 1]);
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
        assertEquals(k.data()[k.at(tokens[i], h) + 1], to.keyPage(0)[2 * row + 1]);
        assertEquals(v.data()[v.at(tokens[i], h)], to.valuePage(0)[row]);
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
    assertThrows(IllegalArgumentException.class, () -> cache.append(k, k, 1));
    assertEquals(0, cache.length());
  }
}
