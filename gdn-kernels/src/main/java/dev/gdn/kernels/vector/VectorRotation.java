package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.Lanes.COUNT;
import static dev.gdn.kernels.vector.Lanes.F;

import dev.gdn.core.concurrent.Workers;
import dev.gdn.core.kernel.RotaryAngles;
import dev.gdn.core.kernel.Rotation;
import dev.gdn.core.tensor.TokenTensor;
import jdk.incubator.vector.FloatVector;

/** (x_i, x_(i+R/2)) ← (x_i cos − x_(i+R/2) sin, x_(i+R/2) cos + x_i sin). */
final class VectorRotation implements Rotation {
  private final Workers workers;
  private final Workers.Task task = this::rotateBlock;

  // The arguments of the call in progress.
  private RotaryAngles angles;
  private TokenTensor x;
  private int tokens;
  private int block;

  VectorRotation(Workers workers) {
    this.workers = workers;
  }

  @Override
  public void rotate(RotaryAngles angles, TokenTensor x, int tokens) {
    angles.check(x, tokens);
    this.angles = angles;
    this.x = x;
    this.tokens = tokens;
    block = TokenBlocks.size(Math.max(1, x.heads() * angles.pairs()));
    workers.run(TokenBlocks.count(tokens, block), task);
  }

  private void rotateBlock(int part, int worker) {
    int end = Math.min(tokens, (part + 1) * block);
    int pairs = angles.pairs();
    for (int t = part * block; t < end; t++) {
      for (int h = 0; h < x.heads(); h++) {
        rotate(x.data(), x.at(t, h), angles.cosines(), angles.sines(), t * pairs, pairs);
      }
    }
  }

  static void rotate(float[] x, int at, float[] cosines, float[] sines, int angle, int pairs) {
    int i = 0;
    for (; i <= pairs - COUNT; i += COUNT) {
      FloatVector cosine = FloatVector.fromArray(F, cosines, angle + i);
      FloatVector sine = FloatVector.fromArray(F, sines, angle + i);
      FloatVector first = FloatVector.fromArray(F, x, at + i);
      FloatVector second = FloatVector.fromArray(F, x, at + pairs + i);
      first.mul(cosine).sub(second.mul(sine)).intoArray(x, at + i);
      second.mul(cosine).add(first.mul(sine)).intoArray(x, at + pairs + i);
    }
    for (; i < pairs; i++) {
      float cosine = cosines[angle + i];
      float sine = sines[angle + i];
      float first = x[at + i];
      float second = x[at + pairs + i];
      x[at + i] = first * cosine - second * sine;
      x[at + pairs + i] = second * cosine + first * sine;
    }
  }
}
