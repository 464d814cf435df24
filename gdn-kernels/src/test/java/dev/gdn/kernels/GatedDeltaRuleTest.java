package dev.gdn.kernels;

import static dev.gdn.kernels.ShortConvolutionTest.refused;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.gdn.core.batch.GatedDeltaRule;
import dev.gdn.core.batch.RuleBatch;
import dev.gdn.core.batch.RuleForm;
import dev.gdn.core.batch.RuleResult;
import dev.gdn.core.batch.RuleShape;
import dev.gdn.core.batch.StateLayout;
import dev.gdn.core.rule.HeadMapping;
import dev.gdn.core.rule.RuleParameters;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class GatedDeltaRuleTest {
  private static final RuleShape SHAPE = new RuleShape(1, 50, 1, 2, 6, 4);
  private static final RuleParameters PARAMETERS =
      new RuleParameters(1, true, HeadMapping.GROUPED, 16);

  @ParameterizedTest
  @MethodSource("dev.gdn.kernels.KernelSet#all")
  void packedSequencesAreEachAsIfAlone(KernelSet set) {
    GatedDeltaRule rule = new GatedDeltaRule(set.open().rule());
    long[] starts = {0, 0, 17, 17, 50};
    float[] states = Values.random(new Random(2), 4 * 48);
    RuleBatch packed = batch(states, starts);
    for (RuleForm form : RuleForm.values()) {
      RuleResult together = rule.apply(form, PARAMETERS, packed);
      for (int n = 0; n < 4; n++) {
        int from = (int) starts[n];
        int to = (int) starts[n + 1];
        RuleBatch alone =
            new RuleBatch(
                new RuleShape(1, to - from, 1, 2, 6, 4),
                Arrays.copyOfRange(packed.q(), from * 6, to * 6),
                Arrays.copyOfRange(packed.k(), from * 6, to * 6),
                Arrays.copyOfRange(packed.v(), from * 8, to * 8),
                Arrays.copyOfRange(packed.g(), from * 2, to * 2),
                Arrays.copyOfRange(packed.beta(), from * 2, to * 2),
                Arrays.copyOfRange(states, n * 48, (n + 1) * 48),
                null);
        RuleResult one = rule.apply(form, PARAMETERS, alone);
        assertArrayEquals(one.output(), Arrays.copyOfRange(together.output(), from * 8, to * 8));
        assertArrayEquals(
            one.finalState(), Arrays.copyOfRange(together.finalState(), n * 48, (n + 1) * 48));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("dev.gdn.kernels.KernelSet#all")
  void noGateIsNoDecayAndNoStateIsZero(KernelSet set) {
    GatedDeltaRule rule = new GatedDeltaRule(set.open().rule());
    RuleBatch full = batch(new float[48], null);
    Arrays.fill(full.g(), 0);
    RuleBatch spare =
        new RuleBatch(SHAPE, full.q(), full.k(), full.v(), null, full.beta(), null, null);
    for (RuleForm form : RuleForm.values()) {
      RuleResult expected = rule.apply(form, PARAMETERS, full);
      RuleResult found = rule.apply(form, PARAMETERS, spare);
      assertArrayEquals(expected.output(), found.output());
      assertArrayEquals(expected.finalState(), found.finalState());
    }
  }

  @ParameterizedTest
  @MethodSource("dev.gdn.kernels.KernelSet#all")
  void noTokensLeaveTheState(KernelSet set) {
    float[] none = new float[0];
    float[] states = Values.random(new Random(4), 3 * 48);
    RuleShape shape = new RuleShape(3, 0, 1, 2, 6, 4);
    RuleBatch batch = new RuleBatch(shape, none, none, none, null, none, states, null);
    for (RuleForm form : RuleForm.values()) {
      RuleResult result = new GatedDeltaRule(set.open().rule()).apply(form, PARAMETERS, batch);
      assertEquals(0, result.output().length);
      assertArrayEquals(states, result.finalState());
    }
  }

  @ParameterizedTest
  @MethodSource("dev.gdn.kernels.KernelSet#all")
  void valueFirstStatesAreTheSameTransposed(KernelSet set) {
    GatedDeltaRule rule = new GatedDeltaRule(set.open().rule());
    float[] states = Values.random(new Random(5), 48);
    RuleBatch keyFirst = batch(states, null);
    RuleBatch valueFirst =
        keyFirst.withInitialState(transposed(states, 6, 4), StateLayout.VALUE_FIRST);
    for (RuleForm form : RuleForm.values()) {
      RuleResult expected = rule.apply(form, PARAMETERS, keyFirst);
      RuleResult found = rule.apply(form, PARAMETERS, valueFirst);
      assertArrayEquals(expected.output(), found.output());
      assertArrayEquals(expected.finalState(), transposed(found.finalState(), 4, 6));
    }
  }

  private static float[] transposed(float[] matrices, int rows, int columns) {
    float[] transposed = new float[matrices.length];
    for (int i = 0; i < matrices.length; i++) {
      int matrix = i / (rows * columns) * rows * columns;
      int row = (i - matrix) / columns;
      transposed[matrix + (i - matrix) % columns * rows + row] = matrices[i];
    }
    return transposed;
  }

  @ParameterizedTest
  @MethodSource("dev.gdn.kernels.KernelSet#all")
  void noBetaIsOneAndGatesOfAllChannelsAreThoseOfAHead(KernelSet set) {
    GatedDeltaRule rule = new GatedDeltaRule(set.open().rule());
    RuleBatch full = batch(new float[48], null);
    Arrays.fill(full.beta(), 1);
    RuleBatch spare =
        new RuleBatch(SHAPE, full.q(), full.k(), full.v(), full.g(), null, null, null);
    float[] gv = new float[400];
    for (int i = 0; i < gv.length; i++) {
      gv[i] = full.g()[i / 4];
    }
    RuleBatch perValue =
        new RuleBatch(SHAPE, full.q(), full.k(), full.v(), null, null, null, null)
            .withValueGates(gv);
    float[] gk = new float[600];
    for (int i = 0; i < gk.length; i++) {
      gk[i] = full.g()[i / 6];
    }
    RuleBatch perKey =
        new RuleBatch(SHAPE, full.q(), full.k(), full.v(), null, null, null, null).withKeyGates(gk);
    for (RuleForm form : RuleForm.values()) {
      RuleResult expected = rule.apply(form, PARAMETERS, full);
      assertArrayEquals(expected.output(), rule.apply(form, PARAMETERS, spare).output());
      assertArrayEquals(expected.output(), rule.apply(form, PARAMETERS, perValue).output(), 1e-5f);
      assertArrayEquals(expected.output(), rule.apply(form, PARAMETERS, perKey).output(), 1e-5f);
    }
  }

  @Test
  void argumentsThatDoNotFitAreRefused() {
    refused(() -> new RuleShape(1, 5, 2, 3, 6, 4), "multiple of 2 key heads, found 3");
    refused(() -> new RuleShape(1, 5, 1, 1, 0, 4), "K 0");
    refused(() -> batch(new float[47], null), "initial state: expected 1 x 48 values, found 47");
    refused(() -> batch(null, new long[] {1, 50}), "start at 0, found 1");
    refused(() -> batch(null, new long[] {0, 30, 20, 50}), "found 20 after 30");
    refused(() -> batch(null, new long[] {0, 30}), "end at 50 tokens, found 30");
    refused(() -> batch(null, new long[] {}), "found nothing");
    RuleBatch good = batch(null, null);
    float[] g = good.g().clone();
    g[7] = 0.5f;
    refused(
        () -> new RuleBatch(SHAPE, good.q(), good.k(), good.v(), g, good.beta(), null, null),
        "g: expected values from -Infinity to 0.0, found 0.5 at element 7");
    float[] beta = good.beta().clone();
    beta[3] = Float.NaN;
    refused(
        () -> new RuleBatch(SHAPE, good.q(), good.k(), good.v(), good.g(), beta, null, null),
        "beta: expected values from 0.0 to 2.0, found NaN at element 3");
    refused(
        () -> new RuleBatch(SHAPE, good.v(), good.k(), good.v(), null, good.beta(), null, null),
        "q: expected 50 x 6 values, found 400");
    refused(() -> good.withKeyGates(good.v()), "gk: expected 50 x 12 values, found 400");
    refused(() -> good.withValueGates(good.q()), "gv: expected 50 x 8 values, found 300");
    refused(
        () -> new RuleBatch(SHAPE, good.q(), good.k(), good.v(), null, good.q(), null, null),
        "beta: expected 50 x 2 values, or 4 for each of these, found 300");
    float[] gk = new float[600];
    gk[9] = Float.NaN;
    refused(
        () -> good.withKeyGates(gk),
        "gk: expected values from -Infinity to 0.0, found NaN at element 9");
  }

  private static RuleBatch batch(float[] states, long[] cuSeqlens) {
    Random random = new Random(1);
    float[] g = Values.random(random, 100);
    float[] beta = new float[100];
    for (int i = 0; i < 100; i++) {
      g[i] = -Math.abs(g[i]);
      beta[i] = 2 * random.nextFloat();
    }
    float[] q = Values.random(random, 300);
    float[] k = Values.random(random, 300);
    return new RuleBatch(SHAPE, q, k, Values.random(random, 400), g, beta, states, cuSeqlens);
  }
}
