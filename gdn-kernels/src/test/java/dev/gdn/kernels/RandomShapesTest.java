package dev.gdn.kernels;

import dev.gdn.core.kernel.Activation;
import dev.gdn.core.kernel.Kernels;
import dev.gdn.core.kernel.KeyValueType;
import dev.gdn.core.kernel.NormWeights;
import dev.gdn.core.tensor.DataType;
import dev.gdn.core.tensor.TokenTensor;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/**
 * The other kernels with random sizes and options, within the bounds of their own tests of what
 * float64 gives; products with quantised weights against those with what the weights decode to.
 */
class RandomShapesTest {
  /** Each with the scratch memory that the cases before have left. */
  private static final List<Kernels> KERNELS =
      KernelSet.all().stream().map(KernelSet::open).toList();

  @Property
  void products(
      @ForAll DataType type,
      @ForAll @IntRange(max = 70) int tokens,
      @ForAll @IntRange(min = 1, max = 140) int rows,
      @ForAll @IntRange(min = 1, max = 600) int columns,
      @ForAll long seed) {
    int blocks = Math.ceilDiv(columns, type.blockElements());
    Weights weights = Weights.random(new Random(seed), type, rows, blocks * type.blockElements());
    for (Kernels kernels : KERNELS) {
      MatrixProductTest.check(kernels.matrix(), new Random(seed), tokens, weights);
    }
  }

  @Property
  void attention(
      @ForAll @IntRange(max = 300) int past,
      @ForAll @IntRange(max = 70) int tokens,
      @ForAll @IntRange(min = 1, max = 3) int keyHeads,
      @ForAll @IntRange(min = 1, max = 4) int group,
      @ForAll @IntRange(min = 1, max = 140) int keyWidth,
      @ForAll @IntRange(min = 1, max = 140) int valueWidth,
      @ForAll KeyValueType type,
      @ForAll boolean farApart,
      @ForAll long seed) {
    Random random = new Random(seed);
    TokenTensor k = Views.random(random, past + tokens, keyHeads, keyWidth);
    TokenTensor v = Views.random(random, past + tokens, keyHeads, valueWidth);
    double size = farApart ? 40 : 1;
    TokenTensor q = Views.random(random, tokens, keyHeads * group, keyWidth, 0, size);
    for (Kernels kernels : KERNELS) {
      AttentionTest.check(kernels.attention(), type, q, k, v, past, tokens);
    }
  }

  @Property
  void norms(
      @ForAll @IntRange(max = 20) int tokens,
      @ForAll @IntRange(min = 1, max = 4) int heads,
      @ForAll @IntRange(min = 1, max = 600) int width,
      @ForAll @IntRange(min = -20, max = 18) int exponent,
      @ForAll boolean zeroCentred,
      @ForAll Activation activation,
      @ForAll long seed) {
    Random random = new Random(seed);
    TokenTensor x = Views.random(random, tokens, heads, width, 0, Math.pow(10, exponent));
    TokenTensor gate = Views.random(random, tokens, heads, width, 0, 3);
    NormWeights weights = new NormWeights(Values.random(random, width), 1e-6f, zeroCentred);
    for (Kernels kernels : KERNELS) {
      NormalizationTest.checkRms(kernels.normalization(), weights, x, tokens);
      NormalizationTest.checkGatedRms(
          kernels.normalization(), weights, x, gate, activation, tokens);
      NormalizationTest.checkL2(kernels.normalization(), x, tokens);
    }
  }

  @Property
  void convolutions(
      @ForAll @IntRange(max = 70) int tokens,
      @ForAll @IntRange(min = 1, max = 600) int channels,
      @ForAll @IntRange(min = 2, max = 8) int width,
      @ForAll @IntRange(max = 70) int split,
      @ForAll long seed) {
    for (Kernels kernels : KERNELS) {
      ShortConvolutionTest.check(
          kernels.convolution(),
          new Random(seed),
          channels,
          width,
          tokens,
          Math.min(split, tokens));
    }
  }

  @Property
  void activations(
      @ForAll @IntRange(max = 40) int tokens,
      @ForAll @IntRange(min = 1, max = 300) int width,
      @ForAll Activation activation,
      @ForAll long seed) {
    for (Kernels kernels : KERNELS) {
      ElementwiseTest.check(kernels.elementwise(), new Random(seed), activation, tokens, width);
    }
  }

  @Property
  void decayGates(
      @ForAll @IntRange(max = 40) int tokens,
      @ForAll @IntRange(min = 1, max = 300) int heads,
      @ForAll long seed) {
    for (Kernels kernels : KERNELS) {
      ElementwiseTest.checkDecayGate(kernels.elementwise(), new Random(seed), tokens, heads);
    }
  }

  @Property
  void rotations(
      @ForAll @IntRange(max = 40) int tokens,
      @ForAll @IntRange(min = 1, max = 130) int pairs,
      @ForAll @IntRange(max = 70) int rest,
      @ForAll @IntRange(max = 300_000) int position,
      @ForAll long seed) {
    for (Kernels kernels : KERNELS) {
      RotationTest.check(kernels.rotation(), new Random(seed), pairs, rest, position, tokens);
    }
  }
}
