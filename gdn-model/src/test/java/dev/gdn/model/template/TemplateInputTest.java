package dev.gdn.model.template;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gdn.model.error.TemplateException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which values a template takes, and how one that it does not take is named. */
class TemplateInputTest {
  @Test
  void aRefusedValueIsNamedByItsPlace() {
    Template template = Template.parse("{{ x }}");
    Object bad = Map.of("a", List.of(1, Map.of("b", new Object())));
    assertEquals(
        "x.a[1].b: expected what JSON has: text, numbers, truth values, lists or maps;"
            + " found java.lang.Object",
        refusal(template, bad));
    assertEquals(
        "x[1]: expected strings as keys, found 1", refusal(template, List.of("", Map.of(1, 2))));
    String deep = refusal(template, Map.of("k".repeat(1000), new Object()));
    assertTrue(deep.startsWith("x.kkk") && deep.length() < 400, deep);
  }

  @Test
  void aPlaceIsShownWholeUpToSomeLength() {
    Template template = Template.parse("{{ x }}");
    String key = "k".repeat(198); // behind "x."
    assertTrue(refusal(template, Map.of(key, new Object())).startsWith("x." + key + ": expected"));
    assertTrue(
        refusal(template, Map.of(key + "k", new Object())).startsWith("x." + key + "…: expected"));
  }

  @Test
  void inputIsNestedTwoHundredLevelsDeepAtMost() {
    Template template = Template.parse("{{ x|length }}");
    Object value = List.of();
    for (int level = 0; level < 200; level++) {
      value = List.of(value);
    }
    assertEquals("1", template.render(Map.of("x", value)));
    String problem = refusal(template, List.of(value));
    assertTrue(problem.endsWith("…: expected at most 200 levels of nesting"), problem);
  }

  @Test
  void numbersOfAnyTypeAreTaken() {
    Template template = Template.parse("{{ x }} {{ x + 1 }}");
    for (Number seven : List.of((byte) 7, (short) 7, 7, 7L, BigInteger.valueOf(7))) {
      assertEquals("7 8", template.render(Map.of("x", seven)));
    }
    assertEquals("2.5 3.5", template.render(Map.of("x", 2.5f)));
    assertEquals("2.5 3.5", template.render(Map.of("x", 2.5)));
    Template print = Template.parse("{{ x }}");
    BigInteger most = BigInteger.TWO.pow(63);
    for (BigInteger number : List.of(most, most.subtract(BigInteger.ONE), most.negate())) {
      assertEquals(number.toString(), print.render(Map.of("x", number)));
    }
  }

  @Test
  void inputIsChecked() {
    Template template = Template.parse("{{ x }}");
    List<Object> circle = new ArrayList<>();
    circle.add(circle);
    for (Object bad :
        List.of(circle, new Object(), Map.of(1, 2), List.of(Thread.currentThread()))) {
      assertThrows(IllegalArgumentException.class, () -> template.render(Map.of("x", bad)));
    }
    String longest = "x".repeat(1 << 20);
    assertEquals(longest, Template.parse(longest).render(Map.of()));
    assertThrows(TemplateException.class, () -> Template.parse(longest + "x"));
  }

  private static String refusal(Template template, Object value) {
    return assertThrows(IllegalArgumentException.class, () -> template.render(Map.of("x", value)))
        .getMessage();
  }
}
