package dev.gdn.model.template;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gdn.model.error.TemplateException;
import java.lang.management.ManagementFactory;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Templates of one line whose work grows with the square of a text unless it is done with care. */
class LinearTimeTest {
  private static final long MOST_NANOSECONDS = 3_000_000_000L;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{{ ('1' * 200000 ~ 'x')|float }}",
        "{{ ('1' * 200000 ~ 'x')|int }}",
        "{{ ('1.' ~ '1' * 200000 ~ 'x')|float }}",
        "{{ ('1e' ~ '1' * 200000 ~ 'x')|float }}",
        "{{ ('Σ' * 200000)|lower|length }}",
        "{{ ('ß' * 300000)|upper|length }}",
        "{{ ('İ' * 300000).lower()|length }}",
        "{{ ('ß' * 300000).isupper() }}",
        "{{ ['Σ' * 200000, 'Σ' * 200000]|sort|length }}",
        "{% set o = 'a' * 1000000 %}{{ (o ~ 'c').startswith((o ~ 'b',) * 300000) }}",
        "{{ ([{'': 9}] * 20)|sort(attribute=',' * 1000000)|length }}",
        "{% set l = range(100000)|list %}{% for i in range(15) %}"
            + "{% set z = l|map(attribute='x')|list %}{% endfor %}",
        "{{ ([{'a': 1}] * 400000)|map(attribute='a.' * 2999 ~ 'a')|list|length }}",
        "{{ ([{'a': 1}] * 400000)|unique(attribute='a.' * 2999 ~ 'a')|list|length }}",
        "{{ ([{'a': 1}] * 400000)|groupby('a.' * 2999 ~ 'a', default=0)|length }}",
        "{{ (['Σ' * 2000] * 2000)|max|length }}",
        "{{ (range(90000)|list)|groupby('a', 'Σ' * 20000)|length }}"
      })
  void aRenderingEndsSoon(String text) {
    Template template = Template.parse(text);
    // The thread's own time: what else the machine does is not the template's.
    long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    try {
      template.render(Map.of());
    } catch (TemplateException e) {
      assertTrue(
          e.problem().matches(".*(too many steps|too much text|has no attribute).*"), e::problem);
    }
    long nanoseconds = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - start;
    assertTrue(nanoseconds < MOST_NANOSECONDS, () -> nanoseconds + " ns");
  }
}
