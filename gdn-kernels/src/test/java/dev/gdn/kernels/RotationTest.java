package dev.gdn.kernels;

import static dev.gdn.kernels.ShortConvolutionTest.refused;
import static dev.gdn.kernels.Views.UNIT;
import static dev.gdn.kernels.Views.get;

import dev.gdn.core.kernel.RotaryAngles;
import dev.gdn.core.kernel.RotaryEmbedding;
import dev.gdn.core.kernel.Rotation;
import dev.gdn.core.tensor.TokenTensor;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RotationTest {
  @ParameterizedTest
  @MethodSource("dev.gdn.kernels.KernelSet#all")
  void pairsAreTurnedAndTheRestStays(KernelSet set) {
    Rotation rotation = set.open().rotation();
    Random random = new Random(1);
    for (int pairs : new int[] {1, 3, 7, 8, 16, 17, 32, 65}) {
      for (int rest : new int[] {0, 1, 16, 33}) {
        for (int tokens : new int[] {0, 1, 2, 17}) {
          check(rotation, random, pairs, rest, 1234, tokens);
        }
      }
    }
  }

  static void check(
      Rotation rotation, Random random, int pairs, int rest, int position, int tokens) {
    RotaryAngles angles = new RotaryAngles(tokens + 2, pairs);
    RotaryEmbedding.of(2 * pairs, 10_000, null).fill(angles, position, tokens);
    TokenTensor x = Views.random(random, tokens, 3, 2 * pairs + rest);
    TokenTensor y = Views.copy(x);
    rotation.rotate(angles, y, tokens);
    check(angles, x, y, tokens);
  }

  @ParameterizedTest
  @MethodSource("dev.gdn.kernels.KernelSet#all")
  void sizesThatDoNotFitAreRefused(KernelSet set) {
    Rotation rotation = set.open().rotation();
    RotaryAngles angles = new RotaryAngles(3, 8);
    refused(() -> rotation.rotate(angles, Views.blank(3, 2, 15), 3), "15");
    refused(() -> rotation.rotate(angles, Views.blank(9, 2, 16), 9), "9");
    refused(() -> rotation.rotate(angles, Views.blank(1, 2, 16), 3), "3");
  }

  private static void check(RotaryAngles angles, TokenTensor x, TokenTensor y, int tokens) {
    int pairs = angles.pairs();
    for (int t = 0; t < tokens; t++) {
      for (int h = 0; h < x.heads(); h++) {
        for (int i = 0; i < pairs; i++) {
          double cosine = angles.cosines()[t * pairs + i];
          double sine = angles.sines()[t * pairs + i];
          double first = get(x, t, h, i);
          double second = get(x, t, h, i + pairs);
          double tolerance = 2 * UNIT * (Math.abs(first) + Math.abs(second));
          Views.assertNear("first", first * cosine - second * sine, get(y, t, h, i), tolerance);
          Views.assertNear(
              "second", second * cosine + first * sine, get(y, t, h, i + pairs), tolerance);
        }
        for (int i = 2 * pairs; i < x.width(); i++) {
          Views.assertNear("rest", get(x, t, h, i), get(y, t, h, i), 0);
        }
      }
    }
    Views.assertGapsUntouched(y, tokens);
  }
}
