package dev.gdn.model.template;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gdn.model.error.TemplateException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** No template takes more time, memory or stack than its input deserves. */
class LimitsTest {
  private static final long SMALL_STACK = 512 << 10;

  @ParameterizedTest
  @MethodSource("greedy")
  void greedyTemplatesEndWithAnException(String template) throws InterruptedException {
    TemplateException e = assertInstanceOf(TemplateException.class, onSmallStack(template));
    assertTrue(
        e.problem()
            .matches(".*(too many steps|too much text|levels deep|larger one|expected at most).*"),
        e::getMessage);
  }

  static Stream<String> greedy() {
    String doubling = "{% for i in range(100) %}{% set ns.x = ns.x + ns.x %}{% endfor %}";
    String nesting = "{% for i in range(9000) %}{% set ns.x = [ns.x] %}{% endfor %}";
    String wide = "{% for i in range(100) %}{% set ns.x = [ns.x, ns.x] %}{% endfor %}";
    String loops = "{% for a in range(99999) %}{% for b in range(99999) %}";
    return Stream.of(
        "{% set ns = namespace(x='ab') %}" + doubling,
        "{% set ns = namespace(x=[1]) %}" + doubling,
        "{% set ns = namespace(x=1) %}" + nesting + "{{ ns.x }}",
        "{% set ns = namespace(x=1) %}" + nesting + "{{ ns.x|tojson }}",
        "{% set ns = namespace(x=1) %}" + nesting + "{{ ns.x == ns.x }}",
        "{% set ns = namespace(x=1) %}" + wide + "{{ ns.x }}",
        "{% set ns = namespace(x=1) %}" + wide + "{{ ns.x|tojson }}",
        "{% set ns = namespace(x=1) %}" + wide + "{{ ns.x == ns.x }}",
        "{% set ns = namespace(x=1) %}" + wide + "{{ ns.x < ns.x }}",
        loops + "{% endfor %}{% endfor %}",
        loops + "{{ 'x' * 1000 }}{% endfor %}{% endfor %}",
        "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
        "{% macro m(n) %}{% for i in [1, 2] %}{{ m(n) if n else n }}{% endfor %}{% endmacro %}{{"
            + " m(1) }}",
        "{% macro a() %}{{ caller() }}{{ b() }}{% endmacro %}{% macro b() %}{% call a() %}x{%"
            + " endcall %}{% endmacro %}{{ b() }}",
        "{{ 'x' * 99999999999 }}",
        "{{ [0] * 99999999999 }}",
        "{{ '' * 99999999999 }}",
        "{{ 'ab'|indent(2000000000, true) }}",
        "{{ [1]|tojson(indent=2000000000) }}",
        "{{ ('a' * 100000)|replace('a', 'b' * 100000) }}",
        "{{ (['a' * 100000] * 10000)|join }}",
        "{{ ('x' * 100000)|list * 1000 }}",
        "{{ 9 ** 9 ** 9 }}",
        "{{ 9223372036854775807 + 1 }}",
        "{{ 99999999999999999999 }}",
        "{{ range(999999999) }}",
        "{{ []|slice(2147483647) }}",
        "{{ [1]|batch(2147483647, 0) }}",
        "{% for i in range(90000) %}{{ ('a' * 900000).upper()|length }}{% endfor %}",
        "{{ " + "(".repeat(5000) + "1" + ")".repeat(5000) + " }}",
        "{{ " + "not ".repeat(5000) + "1 }}",
        "{{ " + "- ".repeat(5000) + "1 }}",
        "{{ " + "[".repeat(5000) + "]".repeat(5000) + " }}",
        "{{ 1" + " + 1".repeat(5000) + " }}",
        "{{ x" + "|trim".repeat(5000) + " }}",
        "{{ x" + "[0]".repeat(5000) + " }}",
        "{{ 1" + " if 1 else 1".repeat(5000) + " }}",
        "{% if 1 %}".repeat(5000) + "{% endif %}".repeat(5000),
        "{% set " + "(".repeat(5000) + "a" + ")".repeat(5000) + " = 1 %}");
  }

  /** What is looked at again and again counts each time, however little a template makes of it. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "map.items()",
        "map.keys()",
        "map.values()",
        "map|items",
        "map|list",
        "map|dictsort",
        "list + list",
        "list * 1",
        "list == list",
        "list < list",
        "1 in list",
        "list|list",
        "list.count(1)",
        "list|reject('odd')|list",
        "list|join",
        "list|sum",
        "list|sort",
        "list|unique",
        "list|max",
        "list|min",
        "list|groupby('a', 0)",
        "list|batch(2)",
        "list|slice(2)",
        "[]|slice(2000)",
        "[0]|batch(2000, 0)",
        "list|first",
        "list|string",
        "list|tojson",
        "tuple + tuple",
        "tuple * 1",
        "text[20000]",
        "'y' in text",
        "text[1:]",
        "text + ''",
        "text ~ ''",
        "text * 1",
        "text|list",
        "text|upper",
        "text.strip()",
        "text|trim",
        "text|replace('y', '')",
        "text.split('y')",
        "text.split(none, 0)",
        "text.rsplit(none, 0)",
        "text.partition('y')",
        "text.rpartition('y')",
        "text[::2]",
        "text|reverse",
        "text|tojson",
        "text|length",
        "text|int",
        "text|float",
        "text == other",
        "text is eq(other)",
        "text < other",
        "text is lower",
        "text in [other]",
        "text.count('y')",
        "text.find('y')",
        "text.rfind('y')",
        "text.isalpha()",
        "text.startswith(other)",
        "text.startswith(tuple)",
        "text.strip('x')",
        "text|trim('x')",
        "'y'.strip(text)",
        "text[0]",
        "text[1:1]",
        "[text, other]|unique",
        "[text, other]|sort",
        "map[text]",
        "map.get(text)",
        "text in map",
        "{text: 1}",
        "{text: 1} == {other: 1}",
        "dict(map)",
        "namespace(map)",
        "'' * 2000",
        "[0] * 2000",
        "range(2000)"
      })
  void workCountsHoweverOften(String operation) {
    String template =
        "{%% set tuple = (%s) %%}{%% for i in range(20000) %%}{%% set x = %s %%}{%% endfor %%}"
            .formatted("'y', ".repeat(1000), operation);
    Map<String, Object> map = new HashMap<>();
    for (int i = 0; i < 1000; i++) {
      map.put("key " + i, 0);
    }
    Map<String, Object> variables =
        Map.of(
            "map",
            map,
            "list",
            Collections.nCopies(1000, 0),
            "text",
            "x".repeat(30_000),
            "other",
            "x".repeat(30_000));
    Template parsed = Template.parse(template);
    String problem =
        assertThrows(TemplateException.class, () -> parsed.render(variables)).problem();
    assertTrue(problem.matches(".*(too many steps|too much text).*"), problem);
  }

  /** A search may compare all of a long part at every place of a long text. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "part in text",
        "text.find(part)",
        "text.rfind(part)",
        "text.count(part)",
        "text.split(part)",
        "text.rsplit(part)",
        "text.partition(part)",
        "text.rpartition(part)",
        "text.replace(part, '')",
        "text|replace(part, '')"
      })
  void searchesForLongPartsCount(String operation) {
    Template template =
        Template.parse(
            "{%% set part = 'y' ~ 'x' * 500000 ~ 'y' %%}{%% set x = %s %%}".formatted(operation));
    Map<String, Object> variables = Map.of("text", "x".repeat(1_000_000));
    String problem =
        assertThrows(TemplateException.class, () -> template.render(variables)).problem();
    assertTrue(problem.contains("too many steps"), problem);
  }

  @Test
  void aRangeThatIsTooLongIsNamed() {
    String problem =
        assertThrows(
                TemplateException.class,
                () -> Template.parse("{{ range(1, n) }}").render(Map.of("n", 100_002)))
            .problem();
    assertEquals(
        "range: expected at most 100000 elements, found more in range(1, 100002, 1)", problem);
  }

  /** Renders on a thread with little stack; returns what it throws. */
  private static Throwable onSmallStack(String template) throws InterruptedException {
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    Runnable render = () -> Template.parse(template).render(Map.of("x", "text"));
    Thread thread = new Thread(null, render, "renderer", SMALL_STACK);
    thread.setUncaughtExceptionHandler((_, e) -> thrown.set(e));
    thread.start();
    thread.join();
    return thrown.get();
  }

  @Test
  void longConversationsAreWithinTheLimits() {
    List<Map<String, Object>> messages = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      messages.add(Map.of("role", "user", "content", "word ".repeat(800)));
      messages.add(Map.of("role", "assistant", "content", "word ".repeat(800)));
    }
    List<Map<String, Object>> message =
        List.of(Map.of("role", "user", "content", "word ".repeat(1_600_000)));
    for (String name : List.of("Qwen3.5-4B", "Qwen-Qwen3-0.6B", "Qwen3-Coder", "GLM-5.2")) {
      Template template = Template.parse(TemplateFiles.text("published/" + name + ".jinja"));
      for (List<?> conversation : List.of(messages, message)) {
        String text =
            template.render(Map.of("messages", conversation, "add_generation_prompt", true));
        assertTrue(text.length() > 7_900_000, name);
      }
    }
  }

  @Test
  void longKeysCostNoMoreThanTheirLength() {
    Object value = List.of(true);
    for (int depth = 0; depth < 100; depth++) {
      value = Map.of("k".repeat(10_000), value);
    }
    List<Object> values = Collections.nCopies(10_000, 1);
    Map<String, Object> variables =
        Map.of(
            "deep", Collections.nCopies(100, value), "wide", Map.of("k".repeat(1 << 20), values));
    Template template = Template.parse("{{ wide|length }}");
    // The thread's own time: what else the machine does is not the template's.
    long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    assertEquals("1", template.render(variables));
    long nanoseconds = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - start;
    assertTrue(nanoseconds < 1_000_000_000, () -> nanoseconds + " ns");
  }

  @Test
  void templatesAreNestedAHundredLevelsDeepAtMost() {
    String begin = "{% if 1 %}";
    String end = "{% endif %}";
    // The template itself is the first level.
    assertEquals("x", Template.parse(begin.repeat(99) + "x" + end.repeat(99)).render(Map.of()));
    String deeper = begin.repeat(100) + "x" + end.repeat(100);
    assertEquals(
        "nested more than 100 levels deep",
        assertThrows(TemplateException.class, () -> Template.parse(deeper)).problem());
  }

  /** Nesting that ends counts no more. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{% if 1 %}{% endif %}",
        "{% if 0 %}{% elif 1 %}{% else %}{% endif %}",
        "{% for a in [] %}{% else %}{% endfor %}",
        "{% for (a), b in [] %}{% endfor %}",
        "{% macro m(a) %}{% endmacro %}",
        "{% call f() %}{% endcall %}",
        "{% filter trim %}{% endfilter %}",
        "{% with a = 1 %}{% endwith %}",
        "{% set a %}{% endset %}",
        "{% generation %}{% endgeneration %}",
        "{{ ((1)) }}",
        "{{ [[1]] }}",
        "{{ {'a': {}} }}",
        "{{ - - 1 }}",
        "{{ not not 1 }}",
        "{{ f(f(1)) }}",
        "{{ 1|trim(chars='x')|upper }}",
        "{{ 1 if 1 else 1 }}",
        "{{ 'x'[0][0] }}",
        "{{ 1 is eq(1) }}"
      })
  void templatesMayBeLong(String part) {
    String f = "{% macro f(a) %}{{ a }}{% endmacro %}";
    String once = Template.parse(f + part).render(Map.of());
    assertEquals(once.repeat(300), Template.parse(f + part.repeat(300)).render(Map.of()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{{ x | line 1: expected }}, found the end of the template",
        "a\n\n{{ 'x | line 3: expected ' behind a string, found the end",
        "{# x | line 1: expected #} behind a comment, found the end",
        "{% raw %} x | line 1: expected {% endraw %}, found the end",
        "\n{% if x %} | line 2: expected {% endif %}, found the end of the template",
        "{% endif %} | line 1: {% endif %} ends nothing",
        "{% for x %}{% endfor %} | line 1: expected 'in', found %}",
        "{% if x %}{% endfor %} | line 1: expected 'endif', found 'endfor'",
        "{% include 'x' %} | line 1: expected if, for, set",
        "{{ x y }} | line 1: expected }}, found 'y'",
        "{{ 1 + }} | line 1: expected an expression, found }}",
        "{{ (1 }} | line 1: unexpected '}'",
        "{{ x. }} | line 1: expected a name or a whole number behind the dot, found }}",
        "{{ 1. }} | line 1: expected a name or a whole number behind the dot, found }}",
        "{{ 1e }} | line 1: expected }}, found 'e'",
        "{{ 1__0 }} | line 1: expected }}, found '__0'",
        "{{ x ? y }} | line 1: unexpected character '?'",
        "{{ '\\xzz' }} | line 1: expected 2 hexadecimal digits",
        "{{ f(a=1, 2) }} | line 1: expected an argument with a name, found the number 2",
        "{{ f(a=1, a=2) }} | line 1: the argument 'a' is given twice",
        "{{ ['nan'|float, 1]|sort }} | line 1: expected values that can be sorted, found nan",
        "{{ ['nan'|float, 1]|groupby(none) }} | line 1: expected values that can be sorted, found",
        "{{ {'a': 'nan'|float, 'b': 1}|dictsort(by='value') }} | line 1: expected values that can",
        "{{ {'nan'|float: 0, 1: 0}|tojson(sort_keys=true) }} | line 1: expected values that can be",
        "{{ 'a'|groupby }} | line 1: groupby: missing argument 'attribute'",
        "{{ 'a'|batch('a') }} | line 1: batch: argument 'linecount': expected a whole number,"
            + " found",
        "{{ 'a'|slice(1.5) }} | line 1: slice: argument 'slices': expected a whole number, found"
            + " fl",
        "{{ 'a'.partition(none) }} | line 1: partition: argument 'sep': expected a string, found"
            + " No",
        "{{ 'a'.rpartition() }} | line 1: rpartition: missing argument 'sep'",
        "{% break %} | line 1: 'break' outside of a loop",
        "{% for x in y recursive %}{% endfor %} | line 1: recursive loops are not supported",
        "{% macro m(a=1, b) %}{% endmacro %} | line 1: expected '=' and a value",
        "a\n{{ 1 }}\n{{ '%s' % 1 }} | line 3: formatting by % is not supported",
        "{{ 'a'|trim(1) }} | line 1: trim: argument 'chars': expected a string, found int",
        "{{ 'a'|trim('a', 'b') }} | line 1: trim takes at most 1 arguments, 2 given",
        "{{ 'a'|trim(x='a') }} | line 1: trim got an unexpected keyword argument 'x'",
        "{{ 'a'|replace('a') }} | line 1: replace: missing argument 'new'",
        "{% set a, b = [1] %} | line 1: expected 2 values to unpack, found 1",
        "{{ [1].index(2) }} | line 1: the value is not in the list",
        "{{ 7.5 / 0 }} | line 1: division by zero",
        "{{ 7.5 // 0 }} | line 1: division by zero",
        "{{ 7.5 % 0 }} | line 1: division by zero",
        "{{ x is divisibleby 2 }} | line 1: expected a number, found str",
        "{{ 2 is divisibleby x }} | line 1: expected a number, found str",
        "{{ 1e19|int }} | line 1: expected a whole number of 64 bits, found a larger one",
        "{{ 9223372036854775808.0|int }} | line 1: expected a whole number of 64 bits, found a",
        "{{ '9223372036854775808'|int }} | line 1: expected a whole number of 64 bits, found a",
        "{{ 'ffffffffffffffffffff'|int(0, 16) }} | line 1: expected a whole number of 64 bits",
        "{{ x|abs }} | line 1: expected a number, found str",
        "{{ z|abs }} | line 1: 'z' is undefined",
        "{{ x|round }} | line 1: expected a number, found str",
        "{{ z|round }} | line 1: 'z' is undefined",
        "{{ '\\N{NO SUCH}' }} | line 1: expected the name of a character in braces behind \\N",
        "{{ '\\N{BULLET' }} | line 1: expected the name of a character in braces behind \\N",
        "{{ '\\Nx}' }} | line 1: expected the name of a character in braces behind \\N",
        "{% for x in y %}{% endfor %}{% break %} | line 1: 'break' outside of a loop",
        "{% macro m() %}{% continue %}{% endmacro %} | line 1: 'continue' outside of a loop",
        "{{ 9223372036854775807|round(-1) }} | line 1: expected a whole number of 64 bits"
      })
  void problemsNameTheLineAndWhatWasExpected(String templateAndProblem) {
    int bar = templateAndProblem.lastIndexOf(" | ");
    String template = templateAndProblem.substring(0, bar);
    TemplateException e =
        assertThrows(
            TemplateException.class,
            () -> Template.parse(template).render(Map.of("x", "text", "y", List.of())));
    String expected = "template, " + templateAndProblem.substring(bar + 3);
    assertEquals(
        expected,
        e.getMessage().substring(0, Math.min(expected.length(), e.getMessage().length())));
  }
}
