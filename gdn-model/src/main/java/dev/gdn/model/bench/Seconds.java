package dev.gdn.model.bench;

/** Measured time. */
final class Seconds {
  private Seconds() {}

  /** Seconds since {@code System.nanoTime()} was {@code start}. */
  static double since(long start) {
    return (System.nanoTime() - start) * 1e-9;
  }
}
