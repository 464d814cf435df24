package dev.gdn.model.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class NumberRangeTest {
  private static final BigDecimal TENTH = new BigDecimal("0.1");

  private static boolean isTaken(Node grammar, String text) {
    if (grammar == null) {
      return false;
    }
    Automaton automaton = new Automaton(grammar);
    Automaton.State state = automaton.start();
    for (byte value : text.getBytes(StandardCharsets.UTF_8)) {
      state = automaton.step(state, value);
    }
    return state.isComplete();
  }

  private static boolean isWithin(BigDecimal value, NumberRange.Limit low, NumberRange.Limit high) {
    int above = low == null ? 1 : value.compareTo(low.value());
    int below = high == null ? -1 : value.compareTo(high.value());
    return (above > 0 || above == 0 && !low.exclusive())
        && (below < 0 || below == 0 && !high.exclusive());
  }

  private static NumberRange.Limit limit(Random random) {
    int scale = random.nextInt(4);
    int bound = new int[] {5, 30, 2000, 100_000}[random.nextInt(4)];
    return random.nextInt(5) == 0
        ? null
        : new NumberRange.Limit(
            BigDecimal.valueOf(random.nextInt(-bound, bound), scale), random.nextBoolean());
  }

  /** Values near the limits, as they are written. */
  private static List<BigDecimal> near(Random random, NumberRange.Limit limit) {
    List<BigDecimal> values = new ArrayList<>(List.of(BigDecimal.ZERO));
    BigDecimal around = limit == null ? BigDecimal.TEN : limit.value();
    for (int places = 0; places <= 4; places++) {
      BigDecimal step = TENTH.pow(places);
      for (int i = -2; i <= 2; i++) {
        values.add(around.add(step.multiply(BigDecimal.valueOf(i))));
      }
      values.add(around.add(step.multiply(BigDecimal.valueOf(random.nextInt(-40, 40)))));
    }
    return values;
  }

  @Test
  void integersAreTakenIfTheyAreWithin() {
    Random random = new Random(1);
    for (int round = 0; round < 300; round++) {
      NumberRange.Limit low = limit(random);
      NumberRange.Limit high = limit(random);
      Node grammar = NumberRange.of(true, low, high);
      for (NumberRange.Limit limit : new NumberRange.Limit[] {low, high}) {
        for (BigDecimal value : near(random, limit)) {
          String text = value.toBigInteger().toString();
          assertEquals(
              isWithin(new BigDecimal(text), low, high),
              isTaken(grammar, text),
              () -> "%s in %s to %s".formatted(text, low, high));
        }
      }
    }
  }

  @Test
  void decimalsAreTakenIfTheyAreWithin() {
    Random random = new Random(2);
    for (int round = 0; round < 600; round++) {
      NumberRange.Limit low = limit(random);
      NumberRange.Limit high = limit(random);
      Node grammar = NumberRange.of(false, low, high);
      for (NumberRange.Limit limit : new NumberRange.Limit[] {low, high}) {
        for (BigDecimal value : near(random, limit)) {
          String text = value.stripTrailingZeros().toPlainString();
          assertEquals(
              isWithin(value, low, high),
              isTaken(grammar, text),
              () -> "%s in %s to %s".formatted(text, low, high));
          // Zeros at the end are taken or not, but never where the number is out of range.
          if (isTaken(grammar, value.setScale(6).toPlainString())) {
            assertEquals(true, isWithin(value, low, high), text);
          }
        }
      }
    }
  }
}
