package dev.gdn.model.template;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Clock;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A budget is used up to the last of it, and no further. */
class BudgetTest {
  private static final String STEPS = "the template takes too many steps for what it is given";
  private static final String CHARACTERS = "the template makes too much text for what it is given";

  @ParameterizedTest
  @CsvSource({
    "0, 0, 2000000, 4194304",
    "3, 5, 2006020, 4194804",
    "1000000000, 1000000000, 1073741824, 1073741824"
  })
  void growsWithTheInputUpToABound(long values, long characters, long steps, long made) {
    Budget budget = Budget.forInput(values, characters);
    budget.step(steps - 1);
    budget.step(1);
    assertProblem(STEPS, () -> budget.step(1));
    budget.characters(made - 1);
    budget.characters(1);
    assertProblem(CHARACTERS, () -> budget.characters(1));
  }

  @Test
  void aTextIsCountedHoweverItGrows() {
    Budget budget = Budget.forInput(0, 0);
    Text text = new Text(budget);
    budget.characters(4_194_304 - 9);
    assertEquals("abcdede", text.append('a').append("bc").repeat("de", 2).toString());
    assertEquals(7, text.length());
    assertProblem(CHARACTERS, () -> text.append("xyz"));
    text.append('f').append('g');
    assertProblem(CHARACTERS, () -> text.append('h'));
    assertProblem(CHARACTERS, () -> text.repeat("h", 1));
    assertEquals("abcdedefg", text.repeat("h", 0).repeat("h", -1).toString());
  }

  @ParameterizedTest
  @CsvSource({"15, 0, 0", "16, 0, 1", "32, 1, 2", "32, 16, 3", "1024, 512, 1088", "4, 100, 0"})
  void searchesCountWhatTheyMayCompare(int text, int part, int steps) {
    Budget budget = Budget.forInput(0, 0);
    budget.step(2_000_000 - steps);
    budget.search("x".repeat(text), "y".repeat(part));
    assertProblem(STEPS, () -> budget.step(1));
  }

  @ParameterizedTest
  @CsvSource({
    "'xxxx', replace, 'x', '', 4, 0",
    "'xxxx', replace, 'x', 'yz', 4, 8",
    "'a,b,,c', split, ',', , 3, 6",
    "'a,b,,c', rsplit, ',', , 3, 6",
    "'a b  c ', rsplit, , , 2, 7",
    "'a,b', partition, ',', , 0, 3",
    "'a,b', rpartition, '.', , 0, 3",
    "'a\nb\n', splitlines, , , 2, 4",
    "'ab', startswith, 'a', , 0, 0"
  })
  void piecesOfTextsCount(
      String text, String method, String first, String second, int steps, int characters) {
    List<Object> arguments =
        Stream.of(first, second).filter(Objects::nonNull).map(Object.class::cast).toList();
    Budget budget = Budget.forInput(0, 0);
    budget.step(2_000_000 - steps);
    budget.characters(4_194_304 - characters);
    StringMethods.find(text, method)
        .call(new Arguments(arguments, Map.of()), new Context(budget, Clock.systemUTC()));
    assertProblem(STEPS, () -> budget.step(1));
    assertProblem(CHARACTERS, () -> budget.characters(1));
  }

  /** A step for each element, one for each key on its path, and one for each comparison. */
  @ParameterizedTest
  @ValueSource(strings = {"max", "min"})
  void pathsAreFollowedOncePerElement(String filter) {
    int elements = 4;
    int comparisons = 3;
    Object element = Map.of("a", Map.of("b", 1L));
    Arguments arguments = new Arguments(List.of(), Map.of("attribute", "a.b"));
    Budget budget = Budget.forInput(0, 0);
    budget.step(2_000_000 - elements - 2L * elements - comparisons);
    Context context = new Context(budget, Clock.systemUTC());
    Filters.apply(filter, Collections.nCopies(elements, element), arguments, context);
    assertProblem(STEPS, () -> budget.step(1));
  }

  @Test
  void levelsCountUntilTheyAreLeft() {
    Budget budget = Budget.forInput(0, 0);
    for (int i = 0; i < Budget.DEPTH; i++) {
      budget.enter();
    }
    assertProblem("nested more than 250 levels deep", budget::enter);
    budget.leave();
    budget.leave();
    budget.enter();
    assertProblem("nested more than 250 levels deep", budget::enter);
  }

  @Test
  void eachLevelIsAStep() {
    Budget budget = Budget.forInput(0, 0);
    budget.step(1_999_999);
    budget.enter();
    assertProblem(STEPS, budget::enter);
  }

  private static void assertProblem(String expected, Runnable use) {
    assertEquals(expected, assertThrows(Problem.class, use::run).getMessage());
  }
}
