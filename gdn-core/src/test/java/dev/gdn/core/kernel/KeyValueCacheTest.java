package dev.gdn.core.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
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
  void viewsThatDoNotFitAreRefused() {
    KeyValueCache cache = new KeyValueCache(2, 3, 1);
    TokenTensor k = TokenTensor.of(new float[6], 2, 3);
    assertThrows(IllegalArgumentException.class, () -> cache.append(k, k, 1));
    assertEquals(0, cache.length());
  }
}
