package dev.gdn.model.template;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.type.TypeReference;
import dev.gdn.model.error.TemplateException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every rendering is that of the reference, and every failure says the same. */
class ReferenceTest {
  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2024-03-07T15:04:09Z"), ZoneOffset.UTC);

  @ParameterizedTest
  @MethodSource
  void small(TemplateFiles.Case expected) {
    check(expected);
  }

  static List<TemplateFiles.Case> small() {
    return TemplateFiles.small();
  }

  @ParameterizedTest
  @MethodSource
  void published(TemplateFiles.Case expected) {
    check(expected);
  }

  private record Published(
      String template,
      @com.fasterxml.jackson.annotation.JsonProperty("case") String name,
      List<Object> messages,
      List<Object> tools,
      Map<String, Object> options,
      boolean add_generation_prompt,
      String rendered,
      String error) {}

  static List<TemplateFiles.Case> published() {
    return TemplateFiles.read("published-cases.json", new TypeReference<List<Published>>() {})
        .stream()
        .map(ReferenceTest::published)
        .toList();
  }

  private static TemplateFiles.Case published(Published c) {
    Map<String, Object> variables = new HashMap<>(c.options());
    variables.put("messages", c.messages());
    variables.put("tools", c.tools());
    variables.put("documents", null);
    variables.put("add_generation_prompt", c.add_generation_prompt());
    variables.put("bos_token", "<s>");
    variables.put("eos_token", "<|endoftext|>");
    // "TypeError: can only ..." without the name of Python's exception.
    String error = c.error() == null ? null : c.error().replaceFirst("^\\w+: ", "");
    String template = TemplateFiles.text("published/" + c.template());
    return new TemplateFiles.Case(
        c.template() + " " + c.name(), template, variables, c.rendered(), error);
  }

  @Test
  void casesAreAllThere() {
    assertEquals(90, published().size());
    assertEquals(11, published().stream().filter(c -> c.error() != null).count());
    assertTrue(small().size() > 90);
  }

  private static void check(TemplateFiles.Case expected) {
    if (expected.error() == null) {
      String rendered = Template.parse(expected.template()).render(expected.variables(), CLOCK);
      assertEquals(expected.rendered(), rendered, expected.name());
    } else {
      TemplateException e =
          assertThrows(
              TemplateException.class,
              () -> Template.parse(expected.template()).render(expected.variables(), CLOCK));
      assertEquals(expected.error(), e.problem(), expected.name());
    }
  }
}
