package dev.gdn.core.rule;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class KeyKeyProductTest {
  @Test
  void maskedEntriesAreZeroWhateverStoodThere() {
    int chunk = 16;
    float[] products = new float[chunk * chunk];
    float[] decays = new float[chunk * chunk];
    float[] a = new float[chunk * chunk];
    Arrays.fill(products, Float.POSITIVE_INFINITY);
    Arrays.fill(decays, Float.NaN);
    Arrays.fill(a, Float.NaN);
    products[chunk] = 3;
    decays[chunk] = 0.5f;
    KeyKeyProduct.gate(products, decays, new float[] {1, 2}, a, 2, chunk);
    float[] expected = new float[chunk * chunk];
    expected[chunk] = 3;
    assertArrayEquals(expected, a);
  }
}
