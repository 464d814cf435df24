package dev.gdn.core.rule;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.gdn.core.tensor.TokenTensor;
import org.junit.jupiter.api.Test;

class KeyHeadTest {
  // Of y = x rsqrt(x² + 1e-6) it is dx = dy 1e-6 (x² + 1e-6)^(-3/2): next to nothing of dy is left.
  @Test
  void derivativesAlongTheKeyKeepTheirDigits() {
    TokenTensor x = TokenTensor.of(new float[] {0.3f, -0.7f, 20f}, 1);
    TokenTensor derivatives = TokenTensor.of(new float[] {1, 3, -2}, 1);
    float[] dy = derivatives.data().clone();

    KeyHead.normBackward(x, 0, 0, 3, derivatives);

    for (int t = 0; t < 3; t++) {
      double squares = (double) x.data()[t] * x.data()[t] + RuleParameters.L2_EPSILON;
      double expected = dy[t] * (double) RuleParameters.L2_EPSILON / Math.pow(squares, 1.5);
      assertEquals(expected, derivatives.data()[t], 1e-6 * Math.abs(expected));
    }
  }
}
