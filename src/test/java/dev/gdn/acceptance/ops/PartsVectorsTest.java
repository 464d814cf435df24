package dev.gdn.acceptance.ops;

import dev.gdn.core.concurrent.Workers;
import dev.gdn.core.kernel.Activation;
import dev.gdn.core.kernel.ConvolutionWeights;
import dev.gdn.core.kernel.DecayGateWeights;
import dev.gdn.core.kernel.KernelProvider;
import dev.gdn.core.kernel.Kernels;
import dev.gdn.core.kernel.NormWeights;
import dev.gdn.core.kernel.Normalization;
import dev.gdn.core.kernel.ShortConvolution;
import dev.gdn.core.tensor.TokenTensor;
import dev.gdn.model.safetensors.SafetensorsFile;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What surrounds the rule in a layer: short convolution, norms and decay gate. */
class PartsVectorsTest {
  // Some ten units in the last place of float32.
  private static final double TOLERANCE = 1e-6;

  static List<String> convolutions() {
    return Vectors.ofOp("short_conv");
  }

  @ParameterizedTest
  @MethodSource("convolutions")
  void shortConvolutionAgrees(String name) {
    try (SafetensorsFile file = Vectors.open(name)) {
      int batch = (int) file.tensor("x").shape().dimension(0);
      for (KernelProvider provider : Vectors.kernels()) {
        ShortConvolution convolution = provider.open(Workers.shared()).convolution();
        for (int b = 0; b < batch; b++) {
          for (boolean stepwise : new boolean[] {false, true}) {
            String what = "%s, %s kernels, row %d, ".formatted(name, provider.name(), b);
            checkConvolution(file, convolution, b, "with_state", stepwise, what);
            checkConvolution(file, convolution, b, "zero_state", stepwise, what);
          }
        }
      }
    }
  }

  private static void checkConvolution(
      SafetensorsFile file,
      ShortConvolution convolution,
      int row,
      String start,
      boolean stepwise,
      String what) {
    int tokens = (int) file.tensor("x").shape().dimension(1);
    int channels = (int) file.tensor("weight").shape().dimension(0);
    int width = (int) file.tensor("weight").shape().dimension(1);
    ConvolutionWeights weights =
        ConvolutionWeights.fromChannelMajor(
            channels,
            width,
            file.tensor("weight").toFloats(),
            file.tensors().containsKey("bias") ? file.tensor("bias").toFloats() : null,
            file.metadata().get("activation").equals("silu")
                ? Activation.SILU
                : Activation.IDENTITY);
    // The file holds windows as [channels, width - 1].
    int windowSize = weights.stateSize();
    float[] window = new float[windowSize];
    if (start.equals("with_state")) {
      float[] initial = file.tensor("initial_state").toFloats();
      for (int i = 0; i < windowSize; i++) {
        window[i % (width - 1) * channels + i / (width - 1)] = initial[row * windowSize + i];
      }
    }
    int size = tokens * channels;
    float[] input = Arrays.copyOfRange(file.tensor("x").toFloats(), row * size, (row + 1) * size);
    float[] output = new float[size];
    TokenTensor x = TokenTensor.of(input, channels);
    TokenTensor y = TokenTensor.of(output, channels);
    for (int t = 0; t < tokens; t += stepwise ? 1 : tokens) {
      convolution.convolve(weights, x.from(t), window, y.from(t), stepwise ? 1 : tokens);
    }
    double[] expected = file.tensor("y_" + start).toDoubles();
    Vectors.assertClose(
        what + "y_" + start,
        Arrays.copyOfRange(expected, row * size, (row + 1) * size),
        output,
        TOLERANCE);
    double[] expectedWindow = new double[windowSize];
    double[] last = file.tensor("final_" + start).toDoubles();
    for (int i = 0; i < windowSize; i++) {
      expectedWindow[i % (width - 1) * channels + i / (width - 1)] = last[row * windowSize + i];
    }
    Vectors.assertClose(what + "final_" + start, expectedWindow, window, 0);
  }

  @Test
  void normsAgree() {
    try (SafetensorsFile file = Vectors.open("norms")) {
      float epsilon = Float.parseFloat(file.metadata().get("eps"));
      int tokens = (int) file.tensor("x").shape().dimension(0);
      int width = (int) file.tensor("x").shape().dimension(1);
      TokenTensor x = TokenTensor.of(file.tensor("x").toFloats(), width);
      TokenTensor z = TokenTensor.of(file.tensor("z").toFloats(), width);
      float[] weight = file.tensor("weight").toFloats();
      NormWeights plain = new NormWeights(weight, epsilon, false);
      NormWeights zeroCentred = new NormWeights(weight, epsilon, true);
      for (KernelProvider provider : Vectors.kernels()) {
        Normalization norms = provider.open(Workers.shared()).normalization();
        TokenTensor y = TokenTensor.zeros(tokens, width);
        norms.rms(plain, x, y, tokens);
        checkNorm(file, provider, "rmsnorm", y);
        norms.rms(zeroCentred, x, y, tokens);
        checkNorm(file, provider, "rmsnorm_zero_centered", y);
        norms.gatedRms(plain, x, z, Activation.SILU, y, tokens);
        checkNorm(file, provider, "gated_silu", y);
        norms.gatedRms(plain, x, z, Activation.SIGMOID, y, tokens);
        checkNorm(file, provider, "gated_sigmoid", y);
        norms.l2(epsilon, x, y, tokens);
        checkNorm(file, provider, "l2norm", y);
      }
    }
  }

  private static void checkNorm(
      SafetensorsFile file, KernelProvider provider, String tensor, TokenTensor y) {
    String what = tensor + ", " + provider.name() + " kernels";
    Vectors.assertClose(what, file.tensor(tensor).toDoubles(), y.data(), TOLERANCE);
  }

  @Test
  void decayGateAgrees() {
    try (SafetensorsFile file = Vectors.open("decay_gate")) {
      int tokens = (int) file.tensor("a").shape().dimension(0);
      int heads = (int) file.tensor("a").shape().dimension(1);
      DecayGateWeights weights =
          DecayGateWeights.fromLog(
              file.tensor("A_log").toFloats(), file.tensor("dt_bias").toFloats());
      TokenTensor a = TokenTensor.of(file.tensor("a").toFloats(), heads);
      for (KernelProvider provider : Vectors.kernels()) {
        Kernels kernels = provider.open(Workers.shared());
        TokenTensor g = TokenTensor.zeros(tokens, heads);
        kernels.elementwise().decayGate(weights, a, g, tokens);
        String what = "decay gate, " + provider.name() + " kernels";
        Vectors.assertClose(what, expectedGates(file), g.data(), TOLERANCE);
      }
    }
  }

  // The definition taken literally overflows at a = 1000, even in float64; there the value of the
  // other tensor counts, in which softplus(x) is x from 20 on.
  private static double[] expectedGates(SafetensorsFile file) {
    double[] expected = file.tensor("g").toDoubles();
    double[] linear = file.tensor("g_torch_threshold").toDoubles();
    for (int i = 0; i < expected.length; i++) {
      if (Double.isInfinite(expected[i])) {
        expected[i] = linear[i];
      }
    }
    return expected;
  }
}
