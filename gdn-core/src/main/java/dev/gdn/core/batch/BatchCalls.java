package dev.gdn.core.batch;

import dev.gdn.core.kernel.RuleCall;
import dev.gdn.core.rule.Gates;
import dev.gdn.core.rule.RuleParameters;
import dev.gdn.core.tensor.TokenTensor;

/** The calls that a batch consists of, one for each sequence. */
final class BatchCalls {
  private final RuleParameters parameters;
  private final RuleBatch batch;
  private final RuleShape shape;
  private final int stateSize;
  private final Gates gates;

  /**
   * @throws IllegalArgumentException if the states are larger than an array can be
   */
  BatchCalls(RuleParameters parameters, RuleBatch batch) {
    this.parameters = parameters;
    this.batch = batch;
    shape = batch.shape();
    stateSize = length("state", shape.stateSize());
    length("final state", batch.sequences() * (long) stateSize);
    gates = gates();
  }

  private Gates gates() {
    int heads = shape.valueHeads();
    return new Gates(
        view(batch.g(), heads),
        view(batch.gk(), heads, shape.keyWidth()),
        view(batch.gv(), heads, shape.valueWidth()),
        betas(batch.beta()));
  }

  /** A view of betas or of derivatives by them; null of null. */
  TokenTensor betas(float[] betas) {
    return batch.betaPerValue()
        ? view(betas, shape.valueHeads(), shape.valueWidth())
        : view(betas, shape.valueHeads());
  }

  static TokenTensor view(float[] values, int width) {
    return values == null ? null : TokenTensor.of(values, width);
  }

  static TokenTensor view(float[] values, int heads, int width) {
    return values == null ? null : TokenTensor.of(values, heads, width);
  }

  /**
   * A copy of states, key first.
   *
   * @param states in the batch's layout; null for zeros
   */
  float[] states(String what, float[] states) {
    int size = batch.sequences() * stateSize;
    if (states == null) {
      return new float[size];
    }
    if (states.length != size) {
      throw new IllegalArgumentException(
          "%s: expected %d x %d values, found %d"
              .formatted(what, batch.sequences(), stateSize, states.length));
    }
    return batch.stateLayout().toKeyFirst(states, matrices(), shape.keyWidth(), shape.valueWidth());
  }

  /** States that are key first, in the batch's layout; the argument may be returned. */
  float[] toLayout(float[] states) {
    return batch
        .stateLayout()
        .fromKeyFirst(states, matrices(), shape.keyWidth(), shape.valueWidth());
  }

  private int matrices() {
    return batch.sequences() * shape.valueHeads();
  }

  /**
   * The call of a sequence.
   *
   * @param states key first, of all sequences
   * @param output {@code [B, T, HV, V]}
   */
  RuleCall call(int sequence, float[] states, float[] output) {
    int start = batch.start(sequence);
    return new RuleCall(
        parameters,
        view(batch.q(), shape.keyHeads(), shape.keyWidth()).from(start),
        view(batch.k(), shape.keyHeads(), shape.keyWidth()).from(start),
        view(batch.v(), shape.valueHeads(), shape.valueWidth()).from(start),
        gates.from(start),
        states,
        sequence * stateSize,
        view(output, shape.valueHeads(), shape.valueWidth()).from(start));
  }

  private static int length(String what, long elements) {
    if (elements > Integer.MAX_VALUE - 8) {
      throw new IllegalArgumentException(
          "%s: %d values do not fit an array".formatted(what, elements));
    }
    return (int) elements;
  }
}
