package dev.gdn.core.tensor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class TokenTensorTest {
  @Test
  void columnsAndLaterTokensShowTheSameNumbers() {
    TokenTensor whole = TokenTensor.zeros(4, 10);
    TokenTensor heads = whole.columns(2, 3, 2);
    assertEquals(2 * 10 + 2 + 2 * 2, heads.at(2, 2));
    assertEquals(heads.at(3, 1), heads.from(1).at(2, 1));
    assertEquals(8, whole.columns(8, 1, 2).at(0));
    assertEquals(3 * 10, whole.columns(0, 5, 2).at(3));
    assertThrows(IllegalArgumentException.class, () -> whole.columns(5, 3, 2));
    assertThrows(IllegalArgumentException.class, () -> whole.columns(-1, 3, 2));
    assertThrows(IllegalArgumentException.class, () -> heads.columns(0, 1, 2));
  }

  @Test
  void everyNumberOfAViewHasItsRange() {
    float[] data = new float[1];
    new TokenTensor(data, 0, 0, 1, 0, 1).check("x", 1, 1, 1);
    for (int[] bad :
        new int[][] {
          {-1, 0, 1, 0, 1}, {0, -1, 1, 0, 1}, {0, 0, 0, 0, 1}, {0, 0, 1, -1, 1}, {0, 0, 1, 0, 0}
        }) {
      assertThrows(
          IllegalArgumentException.class,
          () -> new TokenTensor(data, bad[0], bad[1], bad[2], bad[3], bad[4]));
    }
  }

  @Test
  void viewsAreEqualIfTheyShowTheSameArrayInTheSameWay() {
    float[] data = new float[40];
    TokenTensor view = new TokenTensor(data, 1, 8, 2, 4, 3);
    TokenTensor same = new TokenTensor(data, 1, 8, 2, 4, 3);
    assertEquals(view, same);
    assertEquals(view.hashCode(), same.hashCode());
    for (TokenTensor other :
        new TokenTensor[] {
          new TokenTensor(data.clone(), 1, 8, 2, 4, 3),
          new TokenTensor(data, 2, 8, 2, 4, 3),
          new TokenTensor(data, 1, 9, 2, 4, 3),
          new TokenTensor(data, 1, 8, 1, 4, 3),
          new TokenTensor(data, 1, 8, 2, 5, 3),
          new TokenTensor(data, 1, 8, 2, 4, 2)
        }) {
      assertNotEquals(view, other);
    }
    assertEquals(
        "TokenTensor[offset=1, tokenStride=8, heads=2, headStride=4, width=3]", view.toString());
  }

  @Test
  void fitsAsCheckDoes() {
    TokenTensor view = new TokenTensor(new float[16], 1, 8, 2, 4, 3);
    view.check("x", 2, 2, 3);
    assertTrue(view.fits(2, 2, 3));
    assertTrue(view.fits(0, 2, 3));
    assertFalse(view.fits(3, 2, 3));
    assertFalse(view.fits(-1, 2, 3));
    assertFalse(view.fits(2, 1, 3));
    assertFalse(view.fits(2, 2, 4));
    assertTrue(view.from(5).fits(0, 2, 3), "no token, no element");
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
