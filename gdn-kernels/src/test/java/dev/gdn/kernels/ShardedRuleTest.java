package dev.gdn.kernels;

import static dev.gdn.kernels.ShortConvolutionTest.refused;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import dev.gdn.core.batch.GatedDeltaRule;
import dev.gdn.core.batch.RuleBatch;
import dev.gdn.core.batch.RuleForm;
import dev.gdn.core.batch.RuleResult;
import dev.gdn.core.batch.RuleShape;
import dev.gdn.core.batch.ShardSummary;
import dev.gdn.core.batch.ShardedRule;
import dev.gdn.core.concurrent.Workers;
import dev.gdn.core.rule.HeadMapping;
import dev.gdn.core.rule.RuleParameters;
import dev.gdn.core.rule.StateUpdate;
import dev.gdn.core.tensor.TokenTensor;
import dev.gdn.kernels.RuleCase.Size;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ShardedRuleTest {
  private static final int TOKENS = 1000;
  private static final int H = 1;
  private static final int HV = 2;
  private static final int K = 12;
  private static final int V = 20;

  private static RuleParameters parameters(StateUpdate update) {
    return new RuleParameters(0.5f, true, HeadMapping.GROUPED, 32, update);
  }

  // All gates are drawn from least to 0.
  private static RuleBatch batch(float least, boolean channels, long[] cuSeqlens) {
    Random random = new Random(7);
    int sequences = cuSeqlens == null ? 1 : cuSeqlens.length - 1;
    RuleBatch batch =
        new RuleBatch(
            new RuleShape(1, TOKENS, H, HV, K, V),
            Values.random(random, TOKENS * H * K),
            Values.random(random, TOKENS * H * K),
            Values.random(random, TOKENS * HV * V),
            uniform(random, TOKENS * HV, least),
            uniform(random, TOKENS * HV, 2),
            Values.random(random, sequences * HV * K * V),
            cuSeqlens);
    return channels
        ? batch
            .withKeyGates(uniform(random, TOKENS * HV * K, least))
            .withValueGates(uniform(random, TOKENS * HV * V, least))
        : batch;
  }

  private static float[] uniform(Random random, int count, float bound) {
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] = bound * random.nextFloat();
    }
    return values;
  }

  @ParameterizedTest
  @MethodSource("dev.gdn.kernels.KernelSet#all")
  void shardsGiveWhatTheSerialRunGives(KernelSet set) {
    try (Workers workers = Workers.of(2)) {
      GatedDeltaRule serial = new GatedDeltaRule(set.open().rule());
      ShardedRule sharded = new ShardedRule(set.provider(), workers);
      long[] packed = {0, 0, 3, 700, 1000};
      for (StateUpdate update : StateUpdate.values()) {
        // States that last, that vanish within a shard, and at once.
        for (float least : new float[] {0, -0.01f, -3, -300}) {
          for (boolean channels : new boolean[] {true, false}) {
            for (long[] cuSeqlens : new long[][] {null, packed}) {
              RuleBatch batch = batch(least, channels, cuSeqlens);
              RuleResult expected = serial.apply(RuleForm.CHUNK, parameters(update), batch);
              assertNear(expected, sharded.apply(parameters(update), batch));
              for (int shards : new int[] {1, 2, 3, 7}) {
                assertNear(expected, sharded.apply(parameters(update), batch, shards));
              }
            }
          }
        }
      }
    }
  }

  private static void assertNear(RuleResult expected, RuleResult found) {
    assertNear(expected.output(), found.output());
    assertNear(expected.finalState(), found.finalState());
  }

  // Within 2e-5 of the largest value.
  private static void assertNear(float[] expected, float[] found) {
    float largest = 1;
    for (float value : expected) {
      largest = Math.max(largest, Math.abs(value));
    }
    assertArrayEquals(expected, found, 2e-5f * largest);
  }

  @ParameterizedTest
  @MethodSource("dev.gdn.kernels.KernelSet#all")
  void summariesComposeElsewhere(KernelSet set) {
    for (StateUpdate update : StateUpdate.values()) {
      RuleBatch whole = batch(-0.01f, true, null);
      ShardSummary[] parts = new ShardSummary[3];
      try (Workers workers = Workers.of(1)) {
        ShardedRule rule = new ShardedRule(set.provider(), workers);
        int[] cuts = {0, 100, 613, TOKENS};
        for (int i = 0; i < 3; i++) {
          ShardSummary part = rule.summarize(parameters(update), part(whole, cuts[i], cuts[i + 1]));
          parts[i] = ShardSummary.fromBytes(part.toBytes());
        }
      }
      RuleResult expected =
          new GatedDeltaRule(set.open().rule()).apply(RuleForm.CHUNK, parameters(update), whole);
      float[] state = whole.initialState();
      float[] before = state.clone();
      assertNear(expected.finalState(), parts[0].then(parts[1]).then(parts[2]).apply(state));
      assertNear(expected.finalState(), parts[0].then(parts[1].then(parts[2])).apply(state));
      assertNear(expected.finalState(), parts[2].apply(parts[1].apply(parts[0].apply(state))));
      assertArrayEquals(before, state);
    }
  }

  private static RuleBatch part(RuleBatch b, int from, int to) {
    return new RuleBatch(
            new RuleShape(1, to - from, H, HV, K, V),
            Arrays.copyOfRange(b.q(), from * H * K, to * H * K),
            Arrays.copyOfRange(b.k(), from * H * K, to * H * K),
            Arrays.copyOfRange(b.v(), from * HV * V, to * HV * V),
            Arrays.copyOfRange(b.g(), from * HV, to * HV),
            Arrays.copyOfRange(b.beta(), from * HV, to * HV),
            null,
            null)
        .withKeyGates(Arrays.copyOfRange(b.gk(), from * HV * K, to * HV * K))
        .withValueGates(Arrays.copyOfRange(b.gv(), from * HV * V, to * HV * V));
  }

  @Test
  void whatCannotBeShardedIsRefused() {
    KernelSet set = KernelSet.all().getFirst();
    try (Workers workers = Workers.of(1)) {
      ShardedRule rule = new ShardedRule(set.provider(), workers);
      RuleBatch good = batch(0, false, null);
      RuleParameters delta = parameters(StateUpdate.DELTA);
      refused(() -> rule.apply(delta, good, 0), "shards: expected at least 1, found 0");
      RuleBatch packed = batch(0, false, new long[] {0, 500, 1000});
      refused(() -> rule.summarize(delta, packed), "shard: expected one sequence, found 2");
      refused(() -> rule.summarize(delta, perValue(0)), "betas per head");
    }
  }

  // Gates from least to 0, and betas of each value channel.
  private static RuleBatch perValue(float least) {
    RuleBatch batch = batch(least, false, null);
    float[] beta = uniform(new Random(1), TOKENS * HV * V, 1);
    return new RuleBatch(
        batch.shape(), batch.q(), batch.k(), batch.v(), batch.g(), beta, null, null);
  }

  @ParameterizedTest
  @MethodSource("dev.gdn.kernels.KernelSet#all")
  void betasPerValueChannelAreRunInShardsOrWhole(KernelSet set) {
    try (Workers workers = Workers.of(2)) {
      GatedDeltaRule serial = new GatedDeltaRule(set.open().rule());
      ShardedRule sharded = new ShardedRule(set.provider(), workers);
      for (StateUpdate update : StateUpdate.values()) {
        for (float least : new float[] {0, -3}) {
          RuleBatch batch = perValue(least);
          RuleResult expected = serial.apply(RuleForm.CHUNK, parameters(update), batch);
          assertNear(expected, sharded.apply(parameters(update), batch));
          assertNear(expected, sharded.apply(parameters(update), batch, 3));
        }
      }
    }
  }

  // What the threads share is shards, columns or heads, by the numbers of threads and heads and by
  // the gates; a run of no tokens changes nothing.
  @ParameterizedTest
  @MethodSource("dev.gdn.kernels.KernelSet#all")
  void oneSequenceIsRunInPlace(KernelSet set) {
    for (int threads : new int[] {1, 2, 3, 7}) {
      try (Workers workers = Workers.of(threads)) {
        ShardedRule sharded = new ShardedRule(set.provider(), workers);
        for (int keyHeads : new int[] {1, 2}) {
          for (float gate : new float[] {0, -1}) {
            RuleParameters parameters = parameters(StateUpdate.DELTA);
            Size size = new Size(300, keyHeads, 2, K, 100);
            RuleCase random = RuleCase.random(parameters, size, 4);
            TokenTensor gates = random.gates().g();
            for (int t = 0; t < 300; t++) {
              Arrays.fill(gates.data(), gates.at(t, 0), gates.at(t, 0) + 2, gate);
            }
            RuleCase ruleCase = random.again();
            TokenTensor o = ruleCase.blankOutput();
            float[] state = ruleCase.state().clone();
            sharded.run(ruleCase.call(state, o), 0);
            assertArrayEquals(ruleCase.state(), state);
            sharded.run(ruleCase.call(state, o), 300);
            ruleCase.assertClose(threads + " threads, " + size + ", gates " + gate, o, state);
          }
        }
      }
    }
  }

  @Test
  void summariesThatDoNotFitAreRefused() {
    ShardSummary good = summary(2, 3, 5);
    refused(() -> good.then(summary(2, 5, 3)), "expected 2 heads of 3 x 5, found 2 of 5 x 3");
    refused(() -> good.apply(new float[29]), "state before: expected 30 values, found 29");
    refused(
        () -> new ShardSummary(2, 3, 5, new float[18], new float[9], new float[30]),
        "decays: expected 10 values, found 9");
    refused(() -> new ShardSummary(0, 3, 5, new float[0], new float[0], new float[0]), "0 heads");
    byte[] bytes = good.toBytes();
    refused(() -> ShardSummary.fromBytes(new byte[0]), "at least 24 bytes, found 0");
    refused(() -> ShardSummary.fromBytes(changed(bytes, 0)), "first four bytes, found 0x47444e13");
    refused(() -> ShardSummary.fromBytes(changed(bytes, 4)), "expected version 2, found 66");
    for (int at = 8; at < 20; at++) {
      byte[] other = changed(bytes, at);
      refused(() -> ShardSummary.fromBytes(other), "bytes, found " + bytes.length);
    }
    byte[] shorter = Arrays.copyOf(bytes, bytes.length - 1);
    refused(() -> ShardSummary.fromBytes(shorter), "expected 256 bytes, found 255");
    for (int at = 20; at < bytes.length; at++) {
      byte[] other = changed(bytes, at);
      refused(() -> ShardSummary.fromBytes(other), "expected the checksum");
    }
    ShardSummary infinite = summary(2, 3, 5);
    infinite.transition()[3] = Float.POSITIVE_INFINITY;
    refused(() -> ShardSummary.fromBytes(infinite.toBytes()), "transition: expected finite values");
  }

  private static ShardSummary summary(int heads, int keyWidth, int valueWidth) {
    return new ShardSummary(
        heads,
        keyWidth,
        valueWidth,
        new float[heads * keyWidth * keyWidth],
        new float[heads * valueWidth],
        new float[heads * keyWidth * valueWidth]);
  }

  private static byte[] changed(byte[] bytes, int at) {
    byte[] other = bytes.clone();
    other[at] ^= 0x40;
    return other;
  }
}
