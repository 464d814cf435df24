package dev.gdn.kernels.vector;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;

import org.junit.jupiter.api.Test;

/** On the thread of its own, nobody would hear of a failure. */
class WarmUpTest {
  @Test
  void nothingThatItCallsFails() {
    assertDoesNotThrow(WarmUp::run);
  }
}
