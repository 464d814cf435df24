package dev.gdn.model.layer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.gdn.model.config.NgramConfig;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class NgramHashTest {
  private static final int END = 255;
  private static final NgramConfig CONFIG =
      new NgramConfig(3, 2, 500, 8, 4, 32, 4, 1234, END, List.of(1, 2));

  private static int[] rows(int layer, int token, int... past) {
    int[] rows = new int[CONFIG.heads()];
    new NgramHash(CONFIG, layer, 256).rows(token, past, rows);
    return rows;
  }

  @Test
  void tablesAreOfSuccessivePrimes() {
    assertArrayEquals(new int[] {503, 509, 521, 523}, CONFIG.tableSizes(1));
    assertArrayEquals(new int[] {541, 547, 557, 563}, CONFIG.tableSizes(2));
    assertEquals(2056, CONFIG.rows(1));
    assertEquals(2208, CONFIG.rows(2));
  }

  @Test
  void everyHeadHasRowsOfItsOwn() {
    int[] first = {0, 503, 1012, 1533, 2056};
    for (int token = 0; token < 256; token++) {
      int[] rows = rows(1, token, 3, token);
      for (int head = 0; head < rows.length; head++) {
        int row = rows[head];
        assertEquals(head, Arrays.stream(first).filter(from -> from <= row).count() - 1);
      }
    }
  }

  @Test
  void whatLiesBeforeAnEndTokenDoesNotCount() {
    assertArrayEquals(rows(1, 7, END, 3), rows(1, 7, END, 200));
    assertArrayEquals(rows(1, 7, END, 3), rows(1, 7, END, END));
    assertFalse(Arrays.equals(rows(1, 7, 5, 3), rows(1, 7, 5, 200)));
    // Heads of two tokens do not see the third.
    assertArrayEquals(Arrays.copyOf(rows(1, 7, 5, 3), 2), Arrays.copyOf(rows(1, 7, 5, 200), 2));
  }
}
