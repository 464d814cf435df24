package dev.gdn.kernels;

import static dev.gdn.kernels.Views.get;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.gdn.core.kernel.DeltaRule;
import dev.gdn.core.kernel.KeyValueCache;
import dev.gdn.core.kernel.RuleCall;
import dev.gdn.core.rule.HeadMapping;
import dev.gdn.core.rule.RuleParameters;
import dev.gdn.core.rule.StateUpdate;
import dev.gdn.core.tensor.TokenTensor;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A token that is no finite number, or overflows, changes nothing before it: a damaged model is
 * blamed at the right place, and what came before stands.
 */
class CausalityTest {
  private static final int TOKENS = 45;
  private static final int[] BAD_TOKENS = {1, 8, 14, 31, 44};
  private static final float[] BAD = {
    Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, Float.MAX_VALUE
  };
  private static final RuleCase.Kind[] KINDS = {
    new RuleCase.Kind(false, false, false),
    new RuleCase.Kind(true, false, false),
    new RuleCase.Kind(false, true, true),
    new RuleCase.Kind(true, true, false)
  };

  @ParameterizedTest
  @MethodSource("dev.gdn.kernels.KernelSet#all")
  void ruleIsCausal(KernelSet set) {
    DeltaRule rule = set.open().rule();
    RuleCase.Size size = new RuleCase.Size(TOKENS, 2, 4, 20, 37);
    for (StateUpdate update : StateUpdate.values()) {
      for (int chunk : new int[] {16, 64}) {
        RuleParameters parameters =
            new RuleParameters(0.3f, true, HeadMapping.GROUPED, chunk, update);
        for (RuleCase.Kind kind : KINDS) {
          RuleCase inputs = RuleCase.random(parameters, size, chunk).with(kind, chunk);
          checkRule(rule, inputs, inputs.q());
          checkRule(rule, inputs, inputs.k());
          checkRule(rule, inputs, inputs.v());
        }
      }
    }
  }

  private static void checkRule(DeltaRule rule, RuleCase inputs, TokenTensor damaged) {
    TokenTensor whole = output(rule, inputs);
    for (int token : BAD_TOKENS) {
      int at = damaged.at(token, 1) + 3;
      float before = damaged.data()[at];
      for (float bad : BAD) {
        damaged.data()[at] = bad;
        assertSameBefore(token, whole, output(rule, inputs));
      }
      damaged.data()[at] = before;
    }
  }

  private static TokenTensor output(DeltaRule rule, RuleCase inputs) {
    TokenTensor o = Views.blank(TOKENS, inputs.v().heads(), inputs.v().width());
    rule.chunk(
        new RuleCall(
            inputs.parameters(),
            inputs.q(),
            inputs.k(),
            inputs.v(),
            inputs.gates(),
            inputs.state().clone(),
            RuleCase.STATE_OFFSET,
            o),
        TOKENS);
    return o;
  }

  @ParameterizedTest
  @MethodSource("dev.gdn.kernels.KernelSet#all")
  void attentionIsCausal(KernelSet set) {
    Random random = new Random(1);
    for (int heads : new int[] {1, 2, 6}) {
      TokenTensor q = Views.random(random, TOKENS, heads, 20);
      TokenTensor k = Views.random(random, TOKENS, 1, 20);
      TokenTensor v = Views.random(random, TOKENS, 1, 37);
      for (TokenTensor damaged : new TokenTensor[] {q, k, v}) {
        TokenTensor whole = attend(set, q, k, v);
        for (int token : BAD_TOKENS) {
          int at = damaged.at(token, 0) + 3;
          float before = damaged.data()[at];
          for (float bad : BAD) {
            damaged.data()[at] = bad;
            assertSameBefore(token, whole, attend(set, q, k, v));
          }
          damaged.data()[at] = before;
        }
      }
    }
  }

  private static TokenTensor attend(KernelSet set, TokenTensor q, TokenTensor k, TokenTensor v) {
    KeyValueCache cache = new KeyValueCache(1, k.width(), v.width());
    cache.append(k, v, TOKENS);
    TokenTensor o = Views.blank(TOKENS, q.heads(), v.width());
    set.open().attention().attend(q, cache, 0.2f, o, TOKENS);
    return o;
  }

  private static void assertSameBefore(int token, TokenTensor expected, TokenTensor found) {
    for (int t = 0; t < token; t++) {
      for (int h = 0; h < expected.heads(); h++) {
        for (int i = 0; i < expected.width(); i++) {
          assertEquals(
              get(expected, t, h, i),
              get(found, t, h, i),
              "token %d, head %d, %d, damaged from token %d on".formatted(t, h, i, token));
        }
      }
    }
  }
}
