package dev.gdn.model.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StopsTest {
  private static List<Integer> all(Stops stops, int length) {
    List<Integer> found = new ArrayList<>();
    for (int at = stops.after(0); at < length; at = stops.after(at)) {
      found.add(at);
    }
    return found;
  }

  @Test
  void blocksEndAtRegularStopsAndAtBorders() {
    assertEquals(List.of(512, 1024), all(Stops.REGULAR, 1500));
    Stops stops = Stops.at(new int[] {1400, 0, 600, 512}, 1500);
    assertEquals(List.of(512, 600, 1024, 1400), all(stops, 1500));
    for (int at = 1; at < 1500; at++) {
      assertEquals(List.of(512, 600, 1024, 1400).contains(at), stops.contains(at), "at " + at);
      assertEquals(List.of(512, 600, 1400).contains(at), stops.isBorder(at), "border " + at);
    }
  }

  @Test
  void ofBordersCloseTogetherTheLastCounts() {
    Stops stops = Stops.at(new int[] {10, 100, 140, 150, 150, 213, 214}, 300);
    assertEquals(List.of(10, 150, 214), all(stops, 300));
  }

  @Test
  void bordersOutsideThePromptAreRefused() {
    Stops.at(new int[] {0, 300}, 300);
    assertThrows(IllegalArgumentException.class, () -> Stops.at(new int[] {301}, 300));
    assertThrows(IllegalArgumentException.class, () -> Stops.at(new int[] {-1}, 300));
  }
}
