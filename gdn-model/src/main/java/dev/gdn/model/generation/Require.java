package dev.gdn.model.generation;

/** Checks of options. */
final class Require {
  private Require() {}

  /**
   * @throws IllegalArgumentException naming the option, unless the condition holds
   */
  static void that(boolean holds, String option, String expected, Object found) {
    if (!holds) {
      throw new IllegalArgumentException(
          "%s: expected %s, found %s".formatted(option, expected, found));
    }
  }

  /**
   * @throws IllegalArgumentException naming the option, unless the value lies between the two
   */
  static void within(float least, float most, String option, float value) {
    that(value >= least && value <= most, option, "from %s to %s".formatted(least, most), value);
  }
}
