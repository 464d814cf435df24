package dev.gdn.model.config;

/** Checks that the records share. */
final class Sizes {
  private Sizes() {}

  static void positive(String name, int value) {
    if (value <= 0) {
      throw new IllegalArgumentException(name + ": expected at least 1, found " + value);
    }
  }

  static void epsilon(String name, double value) {
    if (!(value > 0) || Double.isInfinite(value)) {
      throw new IllegalArgumentException(name + ": expected a number over 0, found " + value);
    }
  }

  static void multiple(String name, int value, String ofName, int of) {
    if (value % of != 0) {
      throw new IllegalArgumentException(
          "%s: expected a multiple of %s %d, found %d".formatted(name, ofName, of, value));
    }
  }

  static void product(String name, int value, String ofName, int of, int most) {
    if ((long) value * of > most) {
      throw new IllegalArgumentException(
          "%s x %s: expected at most %d, found %d x %d".formatted(name, ofName, most, value, of));
    }
  }
}
