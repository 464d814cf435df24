package dev.gdn.model.template;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a template says of itself and of what it printed. */
class RenderingTest {
  private static final String LOOP = "{% for m in messages %}<{{ m.x }}>{% endfor %}";
  private static final Map<String, Object> VARIABLES =
      Map.of(
          "messages", List.of(Map.of("x", "one"), Map.of("x", "two")),
          "others", List.of(Map.of("x", "one")),
          "text", "one");

  private static Rendering render(String template, String list) {
    return Template.parse(template).render(VARIABLES, list);
  }

  @Test
  void bordersAreWhereALoopComesToAnElementAndLeavesIt() {
    assertEquals(
        new Rendering("a<one><two>b", List.of(1, 6, 11)), render("a" + LOOP + "b", "messages"));
    assertEquals(
        new Rendering("ab<two>", List.of(2, 7)),
        render("ab" + LOOP.replace("messages", "messages[1:]"), "messages"));
  }

  @Test
  void otherElementsAndOtherTextsHaveNoBorders() {
    String other = LOOP.replace("messages", "others");
    assertEquals(new Rendering("<one>", List.of()), render(other, "messages"));
    String captured = "{% set c %}" + LOOP + "{% endset %}{{ c }}";
    assertEquals(new Rendering("<one><two>", List.of()), render(captured, "messages"));
  }

  @Test
  void aVariableThatIsNoListHasNoBorders() {
    for (String name : List.of("text", "missing", "")) {
      assertEquals(new Rendering("<one><two>", List.of()), render(LOOP, name));
    }
  }

  @Test
  void aTemplateKnowsWhatItLooksUp() {
    Template template = Template.parse("{% if a.b %}{{ f(c) }}{% endif %}{% set d = 'e' %}");
    for (String name : List.of("a", "f", "c")) {
      assertTrue(template.looksUp(name), name);
    }
    for (String name : List.of("b", "e", "g")) {
      assertFalse(template.looksUp(name), name);
    }
  }
}
