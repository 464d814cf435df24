package dev.gdn.core.tensor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class TokenTensorTest {
  @Test
  void columnsAndLaterTokensShowTheSameNumbers() {
    TokenTensor whole = TokenTensor.zeros(4, 10);
    TokenTensor heads = whole.columns(2, 3, 2);
    assertEquals(2 * 10 + 2 + 2 * 2, heads.at(2, 2));
    assertEquals(heads.at(3, 1), heads.from(1).at(2, 1));
    assertThrows(IllegalArgumentException.class, () -> whole.columns(5, 3, 2));
  }

  @Test
  void checkRefusesWhatTheArrayDoesNotHold() {
    TokenTensor view = new TokenTensor(new float[20], 1, 8, 2, 4, 3);
    view.check("x", 2, 2, 3);
    view.check("x", 0, 2, 3);
    assertRefused("x: expected 2 heads of width 4, found 2 of 3", view, 2, 2, 4);
    assertRefused("x: 3 tokens end at element 24 of an array of 20", view, 3, 2, 3);
    assertRefused("x: negative token count -1", view, -1, 2, 3);
    assertRefused(
        "x: 2147483647 tokens end at element 17179869176 of an array of 20",
        view,
        Integer.MAX_VALUE,
        2,
        3);
  }

  private static void assertRefused(
      String message, TokenTensor view, int tokens, int heads, int width) {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> view.check("x", tokens, heads, width));
    assertEquals(message, e.getMessage());
  }
}
