package dev.gdn.kernels;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gdn.core.kernel.DeltaRule;
import dev.gdn.core.kernel.RuleCall;
import dev.gdn.core.rule.Gates;
import dev.gdn.core.rule.HeadMapping;
import dev.gdn.core.rule.RuleParameters;
import dev.gdn.core.rule.StateUpdate;
import dev.gdn.core.tensor.TokenTensor;
import dev.gdn.kernels.RuleCase.Kind;
import dev.gdn.kernels.RuleCase.Size;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DeltaRuleTest {
  private static final int[] TOKENS = {0, 1, 2, 5, 15, 16, 17, 63, 64, 65, 130};
  private static final int[][] WIDTHS = {
    {1, 1}, {3, 7}, {7, 5}, {16, 16}, {24, 33}, {33, 24}, {64, 64}, {96, 130}, {128, 128}, {130, 3}
  };
  private static final int[][] HEADS = {{1, 1}, {2, 2}, {2, 6}, {1, 4}, {3, 3}};

  @ParameterizedTest
  @MethodSource("dev.gdn.kernels.KernelSet#all")
  void bothFormsFollowTheDefinition(KernelSet set) {
    DeltaRule rule = set.open().rule();
    int seed = 0;
    for (int[] widths : WIDTHS) {
      for (int tokens : TOKENS) {
        seed++;
        int[] heads = HEADS[seed % HEADS.length];
        int chunk = 16 << seed % 3;
        Size size = new Size(tokens, heads[0], heads[1], widths[0], widths[1]);
        HeadMapping mapping = seed % 2 == 0 ? HeadMapping.GROUPED : HeadMapping.TILED;
        boolean normalise = seed % 4 != 0;
        RuleParameters parameters = new RuleParameters(0.3f, normalise, mapping, chunk);
        RuleCase ruleCase = RuleCase.random(parameters, size, seed);
        poison(rule, ruleCase, size);
        check(rule, true, ruleCase, "chunk form of " + chunk + ", " + size);
        check(rule, false, ruleCase, "recurrent form, " + size);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("dev.gdn.kernels.KernelSet#all")
  void everyKindOfGateFollowsTheDefinition(KernelSet set) {
    DeltaRule rule = set.open().rule();
    int seed = 0;
    for (StateUpdate update : StateUpdate.values()) {
      for (int kind = 0; kind < 8; kind++) {
        for (int[] widths : new int[][] {{1, 1}, {7, 5}, {24, 33}, {33, 24}, {128, 130}}) {
          for (int tokens : new int[] {1, 17, 33, 64, 100}) {
            seed++;
            int[] heads = HEADS[seed % HEADS.length];
            Size size = new Size(tokens, heads[0], heads[1], widths[0], widths[1]);
            HeadMapping mapping = seed % 2 == 0 ? HeadMapping.GROUPED : HeadMapping.TILED;
            RuleParameters parameters =
                new RuleParameters(0.3f, seed % 3 != 0, mapping, 16 << seed % 3, update);
            Kind gates = new Kind((kind & 1) != 0, (kind & 2) != 0, (kind & 4) != 0);
            RuleCase ruleCase = RuleCase.random(parameters, size, seed).with(gates, seed);
            poison(rule, ruleCase, size);
            String what = update + ", " + gates + ", " + size + ", chunk " + parameters.chunk();
            check(rule, true, ruleCase, "chunk form, " + what);
            check(rule, false, ruleCase, "recurrent form, " + what);
          }
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("dev.gdn.kernels.KernelSet#all")
  void extremeGatesOfChannelsAreOrdinary(KernelSet set) {
    DeltaRule rule = set.open().rule();
    Size size = new Size(100, 1, 2, 20, 20);
    for (float gate : new float[] {0, -1e-7f, -5, -1000, Float.NEGATIVE_INFINITY}) {
      for (boolean perKey : new boolean[] {true, false}) {
        RuleParameters parameters = RuleParameters.standard(20, HeadMapping.GROUPED);
        Kind kind = new Kind(perKey, !perKey, false);
        RuleCase random = RuleCase.random(parameters, size, 3).with(kind, 4);
        TokenTensor gates = perKey ? random.gates().gk() : random.gates().gv();
        for (int t = 0; t < 100; t++) {
          for (int i = 0; i < 20; i++) {
            // In the second head only now and then, so that large and small gates are mixed.
            gates.data()[gates.at(t, 0) + i] = gate;
            gates.data()[gates.at(t, 1) + i] = (t + i) % 7 == 3 ? gate : -0.01f;
          }
        }
        RuleCase ruleCase = random.again();
        check(rule, true, ruleCase, "chunk form, " + kind + ", gate " + gate);
        check(rule, false, ruleCase, "recurrent form, " + kind + ", gate " + gate);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("dev.gdn.kernels.KernelSet#all")
  void everyChunkSizeGivesTheSame(KernelSet set) {
    DeltaRule rule = set.open().rule();
    for (int chunk : new int[] {16, 32, 64}) {
      for (int tokens : TOKENS) {
        RuleParameters parameters = new RuleParameters(1, true, HeadMapping.GROUPED, chunk);
        RuleCase ruleCase = RuleCase.random(parameters, new Size(tokens, 2, 4, 33, 20), 7);
        check(rule, true, ruleCase, "chunk form of " + chunk + ", " + tokens + " tokens");
      }
    }
  }

  @ParameterizedTest
  @MethodSource("dev.gdn.kernels.KernelSet#all")
  void formsFollowOneAnotherAtAnyToken(KernelSet set) {
    DeltaRule rule = set.open().rule();
    for (int first : new int[] {1, 5, 16, 63, 64}) {
      for (int middle : new int[] {1, 3, 20}) {
        RuleParameters parameters = RuleParameters.standard(24, HeadMapping.TILED);
        RuleCase ruleCase = RuleCase.random(parameters, new Size(130, 2, 4, 24, 19), first);
        TokenTensor o = ruleCase.blankOutput();
        float[] state = ruleCase.state().clone();
        ruleCase.run(rule, true, 0, first, state, o);
        ruleCase.run(rule, false, first, middle, state, o);
        ruleCase.run(rule, true, first + middle, 130 - first - middle, state, o);
        ruleCase.assertClose("split at " + first + " and " + middle + " later", o, state);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("dev.gdn.kernels.KernelSet#all")
  void extremeGatesAndBetasAreOrdinary(KernelSet set) {
    DeltaRule rule = set.open().rule();
    float[] gates = {0, -1e-7f, -1, -30, -1000, Float.NEGATIVE_INFINITY};
    for (float gate : gates) {
      for (float beta : new float[] {0, 1, 2}) {
        RuleParameters parameters = RuleParameters.standard(20, HeadMapping.GROUPED);
        RuleCase random = RuleCase.random(parameters, new Size(100, 1, 2, 20, 20), 3);
        for (int t = 0; t < 100; t++) {
          for (int h = 0; h < 2; h++) {
            // The second head alternates, so that sums of large and of small gates are mixed.
            boolean extreme = h == 0 || t % 7 == 3;
            random.g().data()[random.g().at(t) + h] = extreme ? gate : -0.01f;
            random.beta().data()[random.beta().at(t) + h] = beta;
          }
        }
        RuleCase ruleCase = random.again();
        check(rule, true, ruleCase, "chunk form, g " + gate + ", beta " + beta);
        check(rule, false, ruleCase, "recurrent form, g " + gate + ", beta " + beta);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("dev.gdn.kernels.KernelSet#all")
  void repeatedKeysAreSolved(KernelSet set) {
    // All keys alike and beta 2 without decay: the triangular matrix is as large as it gets.
    DeltaRule rule = set.open().rule();
    RuleParameters parameters = RuleParameters.standard(16, HeadMapping.GROUPED);
    RuleCase random = RuleCase.random(parameters, new Size(128, 1, 1, 16, 16), 3);
    for (int t = 0; t < 128; t++) {
      for (int i = 0; i < 16; i++) {
        random.k().data()[random.k().at(t) + i] = random.k().data()[random.k().at(0) + i];
      }
      random.g().data()[random.g().at(t)] = 0;
      random.beta().data()[random.beta().at(t)] = 2;
    }
    RuleCase ruleCase = random.again();
    check(rule, true, ruleCase, "chunk form");
    check(rule, false, ruleCase, "recurrent form");
  }

  @ParameterizedTest
  @MethodSource("dev.gdn.kernels.KernelSet#all")
  void sizesThatDoNotFitAreRefused(KernelSet set) {
    DeltaRule rule = set.open().rule();
    RuleParameters parameters = RuleParameters.standard(8, HeadMapping.GROUPED);
    RuleCase good = RuleCase.random(parameters, new Size(10, 2, 4, 8, 6), 1);
    TokenTensor o = good.blankOutput();
    float[] state = good.state().clone();
    TokenTensor wrong = Views.blank(10, 3, 6);
    refused(rule, good, wrong, good.v(), good.g(), good.beta(), state, o, "3");
    refused(rule, good, good.k(), wrong, good.g(), good.beta(), state, o, "3");
    refused(rule, good, good.k(), good.v(), wrong, good.beta(), state, o, "g");
    refused(rule, good, good.k(), good.v(), good.g(), wrong, state, o, "beta");
    refused(rule, good, good.k(), good.v(), good.g(), good.beta(), state, wrong, "o");
    float[] shorter = Arrays.copyOf(state, 150);
    refused(rule, good, good.k(), good.v(), good.g(), good.beta(), shorter, o, "state");
    assertArrayEquals(good.state(), state);
  }

  // All forms refuse it alike: the chunk form has no decays above 1.
  @ParameterizedTest
  @MethodSource("dev.gdn.kernels.KernelSet#all")
  void gatesAboveZeroAreRefused(KernelSet set) {
    DeltaRule rule = set.open().rule();
    RuleParameters parameters = RuleParameters.standard(8, HeadMapping.GROUPED);
    Kind all = new Kind(true, true, true);
    RuleCase good = RuleCase.random(parameters, new Size(10, 2, 4, 8, 6), 1).with(all, 2);
    Gates gates = good.gates();
    for (TokenTensor gate : new TokenTensor[] {gates.g(), gates.gk(), gates.gv()}) {
      int at = gate.at(9, gate.heads() - 1) + gate.width() - 1;
      float before = gate.data()[at];
      gate.data()[at] = 1e-3f;
      int element = gate.heads() * gate.width() - 1;
      String found = "found 0.001 at element " + element + " of token 9";
      for (boolean chunk : new boolean[] {true, false}) {
        float[] state = good.state().clone();
        IllegalArgumentException e =
            assertThrows(
                IllegalArgumentException.class,
                () -> good.run(rule, chunk, 0, 10, state, good.blankOutput()));
        assertTrue(e.getMessage().contains(found), e.getMessage());
        assertArrayEquals(good.state(), state);
        // The last token is not among these.
        good.run(rule, chunk, 0, 9, state, good.blankOutput());
      }
      gate.data()[at] = before;
    }
  }

  private static void refused(
      DeltaRule rule,
      RuleCase good,
      TokenTensor k,
      TokenTensor v,
      TokenTensor g,
      TokenTensor beta,
      float[] state,
      TokenTensor o,
      String mentioned) {
    RuleCase bad =
        new RuleCase(
            good.parameters(), 10, good.q(), k, v, Gates.perHead(g, beta), state, null, null);
    for (boolean chunk : new boolean[] {true, false}) {
      IllegalArgumentException e =
          assertThrows(IllegalArgumentException.class, () -> bad.run(rule, chunk, 0, 10, state, o));
      assertTrue(e.getMessage().contains(mentioned), e.getMessage());
    }
  }

  private static void check(DeltaRule rule, boolean chunk, RuleCase ruleCase, String what) {
    TokenTensor o = ruleCase.blankOutput();
    float[] state = ruleCase.state().clone();
    ruleCase.run(rule, chunk, 0, ruleCase.tokens(), state, o);
    ruleCase.assertClose(what, o, state);
  }

  // Fills the scratch that the kernels keep with NaN.
  private static void poison(DeltaRule rule, RuleCase ruleCase, Size size) {
    int tokens = ruleCase.parameters().chunk();
    TokenTensor qk = Views.blank(tokens, size.keyHeads(), size.keyWidth());
    TokenTensor v = Views.blank(tokens, size.valueHeads(), size.valueWidth());
    TokenTensor perHead = Views.blank(tokens, 1, size.valueHeads());
    TokenTensor perKey = Views.blank(tokens, size.valueHeads(), size.keyWidth());
    Gates like = ruleCase.gates();
    Gates gates =
        new Gates(
            perHead,
            like.gk() == null ? null : perKey,
            like.gv() == null ? null : v,
            like.betaPerValue(size.valueHeads()) ? v : perHead);
    TokenTensor o = Views.blank(tokens, size.valueHeads(), size.valueWidth());
    float[] state = new float[size.stateSize()];
    RuleCall call = new RuleCall(ruleCase.parameters(), qk, qk, v, gates, state, 0, o);
    rule.chunk(call, tokens);
    rule.recurrent(call, 1);
  }
}
