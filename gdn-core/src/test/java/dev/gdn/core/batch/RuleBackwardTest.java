package dev.gdn.core.batch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.gdn.core.concurrent.Workers;
import dev.gdn.core.rule.HeadMapping;
import dev.gdn.core.rule.RuleParameters;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Batches in the backward pass, whose derivatives have tests of their own. */
class RuleBackwardTest {
  private static final int TOKENS = 21;
  private static final int[] BORDERS = {0, 4, 4, TOKENS};
  private static final RuleShape SHAPE = new RuleShape(1, TOKENS, 1, 2, 3, 4);
  private static final int STATE = (int) SHAPE.stateSize();
  private static final RuleParameters PARAMETERS =
      RuleParameters.standard(SHAPE.keyWidth(), HeadMapping.GROUPED);

  private final Random random = new Random(5);
  private final RuleBackward rule = new RuleBackward(Workers.of(1));
  private final float[] q = values(TOKENS * 3, -1, 1);
  private final float[] k = values(TOKENS * 3, -1, 1);
  private final float[] v = values(TOKENS * 8, -1, 1);
  private final float[] g = values(TOKENS * 2, -1, 0);
  private final float[] gk = values(TOKENS * 6, -1, 0);
  private final float[] gv = values(TOKENS * 8, -1, 0);
  private final float[] betas = values(TOKENS * 8, 0, 2);
  private final float[] state = values(3 * STATE, -1, 1);
  private final float[] dOutput = values(TOKENS * 8, -1, 1);
  private final float[] dState = values(3 * STATE, -1, 1);

  private float[] values(int count, float least, float most) {
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] = least + (most - least) * random.nextFloat();
    }
    return values;
  }

  @ParameterizedTest
  @EnumSource
  void packedSequencesGiveWhatEachGivesAlone(StateLayout layout) {
    RuleBatch packed =
        new RuleBatch(
            SHAPE,
            q,
            k,
            v,
            g,
            gk,
            gv,
            betas,
            state,
            layout,
            Arrays.stream(BORDERS).asLongStream().toArray());
    RuleGradients all = rule.apply(PARAMETERS, packed, dOutput, dState);
    for (int n = 0; n < 3; n++) {
      int from = BORDERS[n];
      int to = BORDERS[n + 1];
      RuleBatch alone =
          new RuleBatch(
              new RuleShape(1, to - from, 1, 2, 3, 4),
              part(q, 3, from, to),
              part(k, 3, from, to),
              part(v, 8, from, to),
              part(g, 2, from, to),
              part(gk, 6, from, to),
              part(gv, 8, from, to),
              part(betas, 8, from, to),
              part(state, STATE, n, n + 1),
              layout,
              null);
      RuleGradients one =
          rule.apply(PARAMETERS, alone, part(dOutput, 8, from, to), part(dState, STATE, n, n + 1));
      assertArrayEquals(one.q(), part(all.q(), 3, from, to));
      assertArrayEquals(one.k(), part(all.k(), 3, from, to));
      assertArrayEquals(one.v(), part(all.v(), 8, from, to));
      assertArrayEquals(one.g(), part(all.g(), 2, from, to));
      assertArrayEquals(one.gk(), part(all.gk(), 6, from, to));
      assertArrayEquals(one.gv(), part(all.gv(), 8, from, to));
      assertArrayEquals(one.beta(), part(all.beta(), 8, from, to));
      assertArrayEquals(one.initialState(), part(all.initialState(), STATE, n, n + 1));
    }
  }

  private static float[] part(float[] values, int each, int from, int to) {
    return Arrays.copyOfRange(values, each * from, each * to);
  }

  @Test
  void whatABatchHasNotIsWithoutDerivatives() {
    RuleBatch bare = new RuleBatch(SHAPE, q, k, v, null, null, null, null);
    float[] ones = new float[TOKENS * 2];
    Arrays.fill(ones, 1);
    RuleBatch spelt =
        new RuleBatch(SHAPE, q, k, v, new float[TOKENS * 2], ones, new float[STATE], null);
    RuleGradients found = rule.apply(PARAMETERS, bare, dOutput, null);
    RuleGradients expected = rule.apply(PARAMETERS, spelt, dOutput, new float[STATE]);
    assertArrayEquals(expected.q(), found.q());
    assertArrayEquals(expected.k(), found.k());
    assertArrayEquals(expected.v(), found.v());
    assertArrayEquals(expected.initialState(), found.initialState());
    assertNotNull(expected.g());
    assertNotNull(expected.beta());
    assertNull(found.g());
    assertNull(found.gk());
    assertNull(found.gv());
    assertNull(found.beta());
  }

  @Test
  void statesMayBeStoredValueFirst() {
    RuleBatch keyFirst = new RuleBatch(SHAPE, q, k, v, g, null, part(state, STATE, 0, 1), null);
    RuleBatch valueFirst =
        keyFirst.withInitialState(valueFirst(keyFirst.initialState()), StateLayout.VALUE_FIRST);
    float[] dLast = part(dState, STATE, 0, 1);
    RuleGradients expected = rule.apply(PARAMETERS, keyFirst, dOutput, dLast);
    RuleGradients found = rule.apply(PARAMETERS, valueFirst, dOutput, valueFirst(dLast));
    assertArrayEquals(expected.q(), found.q());
    assertArrayEquals(valueFirst(expected.initialState()), found.initialState());
  }

  private static float[] valueFirst(float[] states) {
    return StateLayout.VALUE_FIRST.fromKeyFirst(states, 2, 3, 4);
  }

  @Test
  void derivativesOfOtherSizesAreRefused() {
    RuleBatch batch = new RuleBatch(SHAPE, q, k, v, g, null, null, null);
    assertEquals(
        "derivatives by the output: expected 168 values, found 167",
        refusal(batch, Arrays.copyOf(dOutput, 167), null));
    assertEquals(
        "derivatives by the final state: expected 1 x 24 values, found 72",
        refusal(batch, dOutput, dState));
  }

  private String refusal(RuleBatch batch, float[] dOutput, float[] dState) {
    return assertThrows(
            IllegalArgumentException.class, () -> rule.apply(PARAMETERS, batch, dOutput, dState))
        .getMessage();
  }
}
