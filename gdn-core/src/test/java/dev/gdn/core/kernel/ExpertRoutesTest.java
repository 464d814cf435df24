package dev.gdn.core.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ExpertRoutesTest {
  private static ExpertRoutes routes(int... experts) {
    ExpertRoutes routes = new ExpertRoutes(5, 2, 4);
    System.arraycopy(experts, 0, routes.expertOf(), 0, experts.length);
    return routes;
  }

  @Test
  void rowsOfAnExpertLieSideBySideInTheOrderOfTokens() {
    ExpertRoutes routes = routes(4, 1, 1, 0, 4, 1);
    routes.group(3);
    assertEquals(6, routes.rows());
    assertEquals(3, routes.groups());
    int[] experts = {routes.expert(0), routes.expert(1), routes.expert(2)};
    assertArrayEquals(new int[] {0, 1, 4}, experts);
    int[] rows = {routes.firstRow(0), routes.firstRow(1), routes.firstRow(2), routes.firstRow(3)};
    assertArrayEquals(new int[] {0, 1, 4, 6}, rows);
    assertArrayEquals(new int[] {4, 1, 2, 0, 5, 3}, Arrays.copyOf(routes.rowOf(), 6));
    assertArrayEquals(new int[] {1, 0, 1, 2, 0, 2}, Arrays.copyOf(routes.tokenOf(), 6));
  }

  @Test
  void fewerTokensThanBeforeAndNone() {
    ExpertRoutes routes = routes(4, 1, 1, 0, 4, 1);
    routes.group(3);
    routes.group(1);
    assertEquals(2, routes.groups());
    assertEquals(2, routes.firstRow(2));
    routes.group(0);
    assertEquals(0, routes.groups());
    assertEquals(0, routes.rows());
    assertEquals(0, routes.firstRow(0));
  }

  @Test
  void whatIsOutOfRangeIsRefused() {
    assertTrue(refusal(() -> routes(0, 5).group(1)).contains("below 5, found 5"));
    assertTrue(refusal(() -> routes(-1, 0).group(1)).contains("found -1"));
    assertTrue(refusal(() -> routes().group(5)).contains("at most 4 tokens, found 5"));
    assertTrue(refusal(() -> new ExpertRoutes(4, 5, 1)).contains("5 of 4 experts"));
    assertTrue(refusal(() -> new ExpertRoutes(4, 0, 1)).contains("0 of 4 experts"));
    assertTrue(
        refusal(() -> new ExpertRoutes(4, 2, 1 << 30)).contains("each of 1073741824 tokens"));
  }

  private static String refusal(Runnable call) {
    return assertThrows(IllegalArgumentException.class, call::run).getMessage();
  }
}
