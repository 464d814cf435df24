package dev.gdn.core.batch;

/**
 * The sizes of a batch.
 *
 * @param batch B, at least 1
 * @param tokens T, at least 0
 * @param keyHeads H, at least 1
 * @param valueHeads HV, a multiple of H
 * @param keyWidth K, at least 1
 * @param valueWidth V, at least 1
 */
public record RuleShape(
    int batch, int tokens, int keyHeads, int valueHeads, int keyWidth, int valueWidth) {
  /**
   * @throws IllegalArgumentException if a size is out of its range
   */
  public RuleShape {
    if (batch < 1 || tokens < 0 || keyHeads < 1 || keyWidth < 1 || valueWidth < 1) {
      throw new IllegalArgumentException(
          "batch of the rule: expected B >= 1, T >= 0, H >= 1, K >= 1 and V >= 1,"
              + " found B %d, T %d, H %d, K %d, V %d"
                  .formatted(batch, tokens, keyHeads, keyWidth, valueWidth));
    }
    if (valueHeads < 1 || valueHeads % keyHeads != 0) {
      throw new IllegalArgumentException(
          "value heads: expected a multiple of %d key heads, found %d"
              .formatted(keyHeads, valueHeads));
    }
  }

  /** Elements of the state of one sequence, {@code [HV, K, V]}. */
  public long stateSize() {
    return (long) valueHeads * keyWidth * valueWidth;
  }
}
