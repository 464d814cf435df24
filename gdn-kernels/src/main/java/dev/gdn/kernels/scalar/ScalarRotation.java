package dev.gdn.kernels.scalar;

import dev.gdn.core.kernel.RotaryAngles;
import dev.gdn.core.kernel.Rotation;
import dev.gdn.core.tensor.TokenTensor;

/** (x_i, x_(i+R/2)) ← (x_i cos − x_(i+R/2) sin, x_(i+R/2) cos + x_i sin). */
final class ScalarRotation implements Rotation {
  @Override
  public void rotate(RotaryAngles angles, TokenTensor x, int tokens) {
    int pairs = angles.pairs();
    angles.check(x, tokens);
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
