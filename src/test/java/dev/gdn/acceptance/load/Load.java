package dev.gdn.acceptance.load;

/** How long the tests of this package run. */
final class Load {
  private Load() {}

  /** How long the build has a test run, or as long as {@code gdn.load.seconds} says. */
  static long nanoseconds(int secondsInTheBuild) {
    return 1_000_000_000L * Integer.getInteger("gdn.load.seconds", secondsInTheBuild);
  }

  /** How many tokens the build has a session take, or as many as {@code gdn.load.tokens} says. */
  static int tokens(int inTheBuild) {
    return Integer.getInteger("gdn.load.tokens", inTheBuild);
  }
}
