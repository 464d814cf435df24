package dev.gdn.model.template;

import dev.gdn.model.error.TemplateException;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A chat template in Jinja, parsed. Immutable and thread-safe. */
public final class Template {
  private static final int LONGEST = 1 << 20;

  private final Parser.Parsed parsed;

  private Template(Parser.Parsed parsed) {
    this.parsed = parsed;
  }

  /**
   * Parses a template.
   *
   * @throws TemplateException if it is none, is longer than 2^20 characters, nested more than 100
   *     levels deep, or uses a part of Jinja that is not supported
   */
  public static Template parse(String source) {
    Objects.requireNonNull(source, "source");
    if (source.length() > LONGEST) {
      throw TemplateException.at(
          1, "expected at most %d characters, found %d".formatted(LONGEST, source.length()));
    }
    return new Template(Parser.parse(Lexer.tokens(source)));
  }

  /** Whether it looks up a variable of this name, be it one that it is given or one of its own. */
  public boolean looksUp(String variable) {
    return parsed.variables().contains(variable);
  }

  /** As {@link #render(Map, Clock)}, with the system's clock. */
  public String render(Map<String, ?> variables) {
    return render(variables, Clock.systemDefaultZone());
  }

  /**
   * Prints the template.
   *
   * @param variables by name: text, numbers, truth values, null, and lists and maps of these
   * @param clock what {@code strftime_now} reads
   * @throws TemplateException if the template refuses the variables, does what cannot be done, or
   *     takes more steps or makes more text than a template needs for variables of that size
   * @throws IllegalArgumentException if a variable is something else, or nested more than 200
   *     levels deep
   */
  public String render(Map<String, ?> variables, Clock clock) {
    return render(variables, "", clock).text();
  }

  /**
   * Prints the template and notes where it prints each element of a list.
   *
   * @param list the name of the variable that is one; if it is none, there are no borders
   * @throws TemplateException as {@link #render(Map, Clock)} does
   * @throws IllegalArgumentException as {@link #render(Map, Clock)} does
   */
  public Rendering render(Map<String, ?> variables, String list) {
    return render(variables, list, Clock.systemDefaultZone());
  }

  private Rendering render(Map<String, ?> variables, String list, Clock clock) {
    Objects.requireNonNull(clock, "clock");
    Input input = new Input();
    Map<String, Object> copy = input.copy(variables);
    Scope scope = Scope.of(Globals.ALL).inner();
    copy.forEach(scope::set);
    Budget budget = input.budget();
    Text out = new Text(budget);
    LoopBorders borders =
        new LoopBorders(out, copy.get(list) instanceof List<?> elements ? elements : List.of());
    new Renderer(new Context(budget, clock), borders).print(parsed.body(), scope.inner(), out);
    return new Rendering(out.toString(), List.copyOf(borders.places()));
  }
}
