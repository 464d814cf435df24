package dev.gdn.kernels;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.gdn.core.concurrent.Workers;
import dev.gdn.core.kernel.Activation;
import dev.gdn.core.kernel.ConvolutionWeights;
import dev.gdn.core.kernel.ExpertProjection;
import dev.gdn.core.kernel.ExpertRoutes;
import dev.gdn.core.kernel.Kernels;
import dev.gdn.core.kernel.KeyValueCache;
import dev.gdn.core.kernel.NormWeights;
import dev.gdn.core.kernel.Projection;
import dev.gdn.core.kernel.RuleDerivatives;
import dev.gdn.core.rule.HeadMapping;
import dev.gdn.core.rule.RuleParameters;
import dev.gdn.core.tensor.DataType;
import dev.gdn.core.tensor.TokenTensor;
import dev.gdn.core.tensor.WeightMatrix;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Results are the same to the bit for any number of workers. */
class WorkersInvarianceTest {
  @ParameterizedTest
  @MethodSource("dev.gdn.kernels.KernelSet#all")
  void everyKernelGivesTheSameBits(KernelSet set) {
    for (int tokens : new int[] {1, 70}) {
      List<float[]> alone = results(set, 1, tokens);
      for (int threads : new int[] {2, 3}) {
        List<float[]> together = results(set, threads, tokens);
        assertEquals(alone.size(), together.size());
        for (int i = 0; i < alone.size(); i++) {
          assertArrayEquals(alone.get(i), together.get(i), "result " + i + ", threads " + threads);
        }
      }
    }
  }

  private static List<float[]> results(KernelSet set, int threads, int tokens) {
    try (Workers workers = Workers.of(threads)) {
      Kernels kernels = set.open(workers);
      Random random = new Random(5);
      List<float[]> results = new ArrayList<>();

      TokenTensor x = Views.random(random, tokens, 1, 544);
      for (DataType type : DataType.values()) {
        int columns = type.blockElements() == 256 ? 512 : 544;
        Weights weights = Weights.random(random, type, 203, columns);
        TokenTensor y = Views.blank(tokens, 1, 203);
        kernels
            .matrix()
            .multiply(x.columns(0, 1, columns), tokens, new Projection(weights.matrix(), y));
        results.add(y.data());
      }

      RuleParameters parameters = RuleParameters.standard(24, HeadMapping.GROUPED);
      RuleCase heads = RuleCase.random(parameters, new RuleCase.Size(tokens, 5, 10, 24, 40), 6);
      // Fewer key heads than workers: the value's columns are split, too.
      RuleCase columns = RuleCase.random(parameters, new RuleCase.Size(tokens, 1, 2, 24, 100), 7);
      RuleCase channels = columns.with(new RuleCase.Kind(true, true, true), 8);
      for (RuleCase ruleCase : List.of(heads, columns, channels)) {
        for (boolean chunk : new boolean[] {true, false}) {
          TokenTensor o = ruleCase.blankOutput();
          float[] state = ruleCase.state().clone();
          ruleCase.run(kernels.rule(), chunk, 0, tokens, state, o);
          results.add(o.data());
          results.add(state);
        }
        TokenTensor dOutput =
            Views.random(new Random(9), tokens, ruleCase.v().heads(), ruleCase.v().width());
        float[] dState = Values.random(new Random(10), ruleCase.state().length);
        RuleDerivatives d = ruleCase.blankDerivatives();
        kernels.backward().run(ruleCase.call(ruleCase.state(), null), tokens, dOutput, dState, d);
        results.add(dState);
        for (TokenTensor derivatives : List.of(d.q(), d.k(), d.v(), d.g(), d.beta())) {
          results.add(derivatives.data());
        }
      }

      ConvolutionWeights convolution =
          new ConvolutionWeights(544, 4, Values.random(random, 2176), null, Activation.SILU);
      TokenTensor convolved = Views.copy(x);
      kernels
          .convolution()
          .convolve(convolution, convolved, new float[convolution.stateSize()], convolved, tokens);
      results.add(convolved.data());

      NormWeights norm = new NormWeights(Values.random(random, 544), 1e-6f, true);
      TokenTensor normed = Views.copy(x);
      kernels.normalization().gatedRms(norm, normed, x, Activation.SILU, normed, tokens);
      kernels.elementwise().gate(Activation.SIGMOID, x, normed, normed, tokens);
      results.add(normed.data());

      ExpertRoutes routes = Routes.random(random, 4, 2, tokens);
      TokenTensor rows = Views.blank(2 * tokens, 1, 544);
      kernels.experts().gather(x, routes, rows);
      for (DataType type : new DataType[] {DataType.BF16, DataType.Q4_0}) {
        List<WeightMatrix> experts = new ArrayList<>();
        for (int e = 0; e < 4; e++) {
          experts.add(Weights.random(random, type, 544, 544).matrix());
        }
        TokenTensor products = Views.blank(2 * tokens, 1, 544);
        kernels.matrix().multiplyExperts(rows, routes, new ExpertProjection(experts, products));
        TokenTensor sums = Views.copy(x);
        kernels.experts().scatterAdd(products, routes, sums);
        results.add(sums.data());
      }

      KeyValueCache cache = new KeyValueCache(2, 24, 24);
      cache.append(
          Views.random(random, 300 + tokens, 2, 24),
          Views.random(random, 300 + tokens, 2, 24),
          300 + tokens);
      TokenTensor q = Views.random(random, tokens, 6, 24);
      kernels.attention().attend(q, cache, 0.2f, q, tokens);
      results.add(q.data());
      return results;
    }
  }
}
