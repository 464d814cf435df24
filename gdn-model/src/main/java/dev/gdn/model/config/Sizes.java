package dev.gdn.model.config;

/** Checks that the records share. */
final class Sizes {
  private Sizes() {}

  static void positive(String name, int value) {
    if (value <= 0) {
      throw new IllegalArgumentException(name + ": expected at least 1, found " + value);
    }
  }

  static void multiple(String name, int value, String ofName, int of) {
    if (value % of != 0) {
      throw new IllegalArgumentException(
          "%s: expected a multiple of %s %d, found %d".formatted(name, ofName, of, value));
    }
  }
}
