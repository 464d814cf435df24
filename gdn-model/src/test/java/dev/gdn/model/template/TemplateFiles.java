package dev.gdn.model.template;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Templates among the test resources, and what the reference makes of them. */
final class TemplateFiles {
  private static final ObjectMapper JSON = new ObjectMapper();

  private TemplateFiles() {}

  /**
   * What a template is given and what it gives, or why it fails.
   *
   * @param name what the case is called
   * @param template the template's text
   */
  record Case(
      String name, String template, Map<String, Object> variables, String rendered, String error) {}

  /** The small templates. */
  static List<Case> small() {
    SmallCases cases = read("jinja-cases.json", new TypeReference<>() {});
    return cases.cases().stream()
        .map(c -> new Case(c.template(), c.template(), cases.variables(), c.rendered(), c.error()))
        .toList();
  }

  private record SmallCases(Map<String, Object> variables, List<SmallCase> cases) {}

  private record SmallCase(String template, String rendered, String error) {}

  static <T> T read(String name, TypeReference<T> type) {
    try {
      return JSON.readValue(text(name), type);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The text of a file. */
  static String text(String name) {
    try (InputStream in = TemplateFiles.class.getResourceAsStream(name)) {
      return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
