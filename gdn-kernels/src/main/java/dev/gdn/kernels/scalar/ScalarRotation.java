package dev.gdn.kernels.scalar;

import dev.gdn.core.kernel.RotaryAngles;
import dev.gdn.core.kernel.Rotation;
import dev.gdn.core.tensor.TokenTensor;

/** (x_i, x_(i+R/2)) ← (x_i cos − x_(i+R/2) sin, x_(i+R/2) cos + x_i sin). */
final class ScalarRotation implements Rotation {
  @Override
  public void rotate(RotaryAngles angles, TokenTensor x, int tokens) {
    int pairs = angles.pairs();
    x.check("rotated view", tokens, x.heads(), x.width());
    if (x.width() < 2L * pairs) {
      throw new IllegalArgumentException(
          "rotated view: expected a width of at least %d, found %d"
              .formatted(2L * pairs, x.width()));
    }
    if (angles.tokens() < tokens) {
      throw new IllegalArgumentException(
          "rotary angles: expected %d tokens, found %d".formatted(tokens, angles.tokens()));
    }
    float[] data = x.data();
    for (int t = 0; t < tokens; t++) {
      for (int h = 0; h < x.heads(); h++) {
        int at = x.at(t, h);
        for (int i = 0; i < pairs; i++) {
          float cosine = angles.cosines()[t * pairs + i];
          float sine = angles.sines()[t * pairs + i];
          float first = data[at + i];
          float second = data[at + pairs + i];
          data[at + i] = first * cosine - second * sine;
          data[at + pairs + i] = second * cosine + first * sine;
        }
      }
    }
  }
}
