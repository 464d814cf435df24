package dev.gdn.core.batch;

import java.util.Objects;

/**
 * The inputs of the gated delta rule for a batch, contiguous and row-major; see {@link
 * dev.gdn.core.rule} for the conventions. The arrays are not copied.
 *
 * @param shape the sizes that the letters below stand for
 * @param q {@code [B, T, H, K]}
 * @param k {@code [B, T, H, K]}
 * @param v {@code [B, T, HV, V]}
 * @param g gate per head, {@code [B, T, HV]}, at most 0; null for none
 * @param gk gate per key channel, {@code [B, T, HV, K]}, at most 0; null for none
 * @param gv gate per value channel, {@code [B, T, HV, V]}, at most 0; null for none
 * @param beta per head, {@code [B, T, HV]}, or per value channel, {@code [B, T, HV, V]}, from 0 to
 *     2; null for 1
 * @param initialState {@code [N, HV, K, V]}, or as the layout says, with N the number of sequences;
 *     null for zeros
 * @param stateLayout of the initial state and of the final one
 * @param cuSeqlens where packed sequences begin and the last one ends, {@code [N + 1]}: from 0 to
 *     T, never falling, equal neighbours for an empty sequence; B is then 1. Null if each of the B
 *     rows is one sequence
 */
public record RuleBatch(
    RuleShape shape,
    float[] q,
    float[] k,
    float[] v,
    float[] g,
    float[] gk,
    float[] gv,
    float[] beta,
    float[] initialState,
    StateLayout stateLayout,
    long[] cuSeqlens) {
  /**
   * @throws IllegalArgumentException naming the argument that does not fit, what was expected and
   *     what was found
   */
  public RuleBatch {
    Objects.requireNonNull(shape, "shape");
    long rows = (long) shape.batch() * shape.tokens();
    long keys = (long) shape.keyHeads() * shape.keyWidth();
    checkLength("q", q, rows, keys);
    checkLength("k", k, rows, keys);
    checkLength("v", v, rows, (long) shape.valueHeads() * shape.valueWidth());
    long heads = shape.valueHeads();
    checkGate("g", g, rows, heads);
    checkGate("gk", gk, rows, heads * shape.keyWidth());
    checkGate("gv", gv, rows, heads * shape.valueWidth());
    if (beta != null) {
      checkBeta(beta, rows, heads, shape.valueWidth());
    }
    Objects.requireNonNull(stateLayout, "state layout");
    if (cuSeqlens != null) {
      checkSequences(shape, cuSeqlens);
    }
    int sequences = cuSeqlens == null ? shape.batch() : cuSeqlens.length - 1;
    if (initialState != null) {
      checkLength("initial state", initialState, sequences, shape.stateSize());
    }
  }

  /**
   * With a gate per head alone, and states with the key first.
   *
   * @throws IllegalArgumentException naming the argument that does not fit, what was expected and
   *     what was found
   */
  public RuleBatch(
      RuleShape shape,
      float[] q,
      float[] k,
      float[] v,
      float[] g,
      float[] beta,
      float[] initialState,
      long[] cuSeqlens) {
    this(shape, q, k, v, g, null, null, beta, initialState, StateLayout.KEY_FIRST, cuSeqlens);
  }

  /**
   * The same with gates per key channel.
   *
   * @throws IllegalArgumentException naming the argument that does not fit, what was expected and
   *     what was found
   */
  public RuleBatch withKeyGates(float[] gk) {
    return new RuleBatch(shape, q, k, v, g, gk, gv, beta, initialState, stateLayout, cuSeqlens);
  }

  /**
   * The same with gates per value channel.
   *
   * @throws IllegalArgumentException naming the argument that does not fit, what was expected and
   *     what was found
   */
  public RuleBatch withValueGates(float[] gv) {
    return new RuleBatch(shape, q, k, v, g, gk, gv, beta, initialState, stateLayout, cuSeqlens);
  }

  /**
   * The same from other initial states.
   *
   * @throws IllegalArgumentException naming the argument that does not fit, what was expected and
   *     what was found
   */
  public RuleBatch withInitialState(float[] initialState, StateLayout stateLayout) {
    return new RuleBatch(shape, q, k, v, g, gk, gv, beta, initialState, stateLayout, cuSeqlens);
  }

  /** Whether {@code beta} has a number for each value channel, rather than for each head. */
  public boolean betaPerValue() {
    return beta != null && beta.length > (long) shape.batch() * shape.tokens() * shape.valueHeads();
  }

  /** N, the number of sequences. */
  public int sequences() {
    return cuSeqlens == null ? shape.batch() : cuSeqlens.length - 1;
  }

  /** Index of the first token of a sequence, counted over the whole batch. */
  public int start(int sequence) {
    return cuSeqlens == null ? sequence * shape.tokens() : (int) cuSeqlens[sequence];
  }

  /** Tokens of a sequence. */
  public int length(int sequence) {
    return cuSeqlens == null
        ? shape.tokens()
        : (int) (cuSeqlens[sequence + 1] - cuSeqlens[sequence]);
  }

  private static void checkGate(String what, float[] gate, long rows, long rowSize) {
    if (gate != null) {
      checkLength(what, gate, rows, rowSize);
      checkRange(what, gate, Float.NEGATIVE_INFINITY, 0);
    }
  }

  private static void checkBeta(float[] beta, long rows, long heads, int valueWidth) {
    if (!fits(beta, rows, heads) && !fits(beta, rows, heads * valueWidth)) {
      throw new IllegalArgumentException(
          "beta: expected %d x %d values, or %d for each of these, found %d"
              .formatted(rows, heads, valueWidth, beta.length));
    }
    checkRange("beta", beta, 0, 2);
  }

  private static boolean fits(float[] values, long rows, long rowSize) {
    // Compared by division: the product of unchecked sizes may overflow.
    return rows == 0
        ? values.length == 0
        : values.length % rows == 0 && values.length / rows == rowSize;
  }

  private static void checkLength(String what, float[] values, long rows, long rowSize) {
    Objects.requireNonNull(values, what);
    if (!fits(values, rows, rowSize)) {
      throw new IllegalArgumentException(
          "%s: expected %d x %d values, found %d".formatted(what, rows, rowSize, values.length));
    }
  }

  private static void checkRange(String what, float[] values, float least, float most) {
    for (int i = 0; i < values.length; i++) {
      // Written so that NaN is refused.
      if (!(values[i] >= least && values[i] <= most)) {
        throw new IllegalArgumentException(
            "%s: expected values from %s to %s, found %s at element %d"
                .formatted(what, least, most, values[i], i));
      }
    }
  }

  private static void checkSequences(RuleShape shape, long[] cuSeqlens) {
    if (shape.batch() != 1) {
      throw new IllegalArgumentException(
          "cu_seqlens: expected a batch of 1, found " + shape.batch());
    }
    if (cuSeqlens.length == 0 || cuSeqlens[0] != 0) {
      throw new IllegalArgumentException(
          "cu_seqlens: expected to start at 0, found "
              + (cuSeqlens.length == 0 ? "nothing" : cuSeqlens[0]));
    }
    for (int n = 1; n < cuSeqlens.length; n++) {
      if (cuSeqlens[n] < cuSeqlens[n - 1]) {
        throw new IllegalArgumentException(
            "cu_seqlens: expected never to fall, found %d after %d"
                .formatted(cuSeqlens[n], cuSeqlens[n - 1]));
      }
    }
    if (cuSeqlens[cuSeqlens.length - 1] != shape.tokens()) {
      throw new IllegalArgumentException(
          "cu_seqlens: expected to end at %d tokens, found %d"
              .formatted(shape.tokens(), cuSeqlens[cuSeqlens.length - 1]));
    }
  }
}
