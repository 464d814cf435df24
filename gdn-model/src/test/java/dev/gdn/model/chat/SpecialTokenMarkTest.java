package dev.gdn.model.chat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SpecialTokenMarkTest {
  private static final Set<String> TOKENS = Set.of("<|end|>");
  private static final char FIRST = '\ufdd0';

  private static char markOf(Object conversation) {
    return SpecialTokenMark.of(TOKENS, conversation).character();
  }

  @Test
  void aMarkStandsNowhereInTheConversation() {
    assertEquals(FIRST, markOf(List.of("text", 1, true)));
    assertEquals('\ufdd1', markOf(List.of("a\ufdd0b")));
    assertEquals('\ufdd2', markOf(Map.of("\ufdd0", List.of(Map.of("x", "\ufdd1\ufdd0")))));
    assertEquals('\ufdef', markOf(allMarksBut('\ufdef')));
    assertEquals('\ufddb', markOf(allMarksBut('\ufddb')));
    assertThrows(IllegalArgumentException.class, () -> markOf(allMarksBut('x')));
  }

  private static String allMarksBut(char missing) {
    StringBuilder marks = new StringBuilder();
    for (char mark = FIRST; mark <= '\ufdef'; mark++) {
      marks.append(mark == missing ? "" : mark);
    }
    return marks.toString();
  }

  @Test
  void nestingIsBounded() {
    assertEquals(FIRST, markOf(nested(200)));
    assertThrows(IllegalArgumentException.class, () -> markOf(nested(201)));
    List<Object> list = new ArrayList<>();
    list.add(list);
    assertThrows(IllegalArgumentException.class, () -> markOf(list));
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("x", map);
    assertThrows(IllegalArgumentException.class, () -> markOf(map));
  }

  private static Object nested(int levels) {
    Object value = "text";
    for (int i = 0; i < levels; i++) {
      value = i % 2 == 0 ? List.of(value) : Collections.singletonMap("x", value);
    }
    return value;
  }

  @Test
  void aMarkStandsBehindTheFirstCharacterOfEachToken() {
    SpecialTokenMark mark = SpecialTokenMark.of(TOKENS, List.of());
    assertEquals("a<\ufdd0|end|><\ufdd0|end|>", mark.marked("a<|end|><|end|>"));
    assertEquals(
        List.of(Map.of("<\ufdd0|end|>", List.of("<\ufdd0|end|>", 1))),
        mark.marked(List.of(Map.of("<|end|>", List.of("<|end|>", 1)))));
    SpecialTokenMark pairs = SpecialTokenMark.of(Set.of("🙂end"), List.of());
    assertEquals("🙂\ufdd0end", pairs.marked("🙂end"));
  }
}
