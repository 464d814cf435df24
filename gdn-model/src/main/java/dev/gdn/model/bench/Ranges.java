package dev.gdn.model.bench;

/** Checks that the benchmarks share. */
final class Ranges {
  private Ranges() {}

  static void check(String name, int value, int least, int most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          "%s: expected %d to %d, found %d".formatted(name, least, most, value));
    }
  }
}
