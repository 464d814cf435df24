package dev.gdn.kernels.vector;

/** An innermost loop that can be called with nothing to do. */
@FunctionalInterface
interface WarmUpLoop {
  /**
   * Calls it.
   *
   * @param steps {@link WarmUpLoops#STEPS}, or 0 for nothing to do
   */
  void run(int steps);
}
