package dev.gdn.cli;

import dev.gdn.core.batch.RuleForm;
import dev.gdn.core.batch.StateLayout;
import dev.gdn.core.rule.StateUpdate;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Options that say how the rule is computed. */
final class RuleOptions {
  @Option(
      names = "--form",
      paramLabel = "FORM",
      defaultValue = "chunk",
      description = "chunk or recurrent; ${DEFAULT-VALUE} if none.")
  private RuleForm form;

  @Option(
      names = "--chunk",
      paramLabel = "N",
      defaultValue = "64",
      converter = Chunk.class,
      description = "Tokens of a chunk: 16, 32 or 64; ${DEFAULT-VALUE} if none.")
  private int chunk;

  @Option(
      names = "--update",
      paramLabel = "UPDATE",
      defaultValue = "delta",
      description = "What a token writes: delta, or additive for linear attention; delta if none.")
  private StateUpdate update;

  @Option(
      names = "--value-first",
      description = "States are [N,HV,V,K] rather than [N,HV,K,V], read and written.")
  private boolean valueFirst;

  RuleForm form() {
    return form;
  }

  int chunk() {
    return chunk;
  }

  StateUpdate update() {
    return update;
  }

  StateLayout stateLayout() {
    return valueFirst ? StateLayout.VALUE_FIRST : StateLayout.KEY_FIRST;
  }

  /** Shape of states as files hold them. */
  long[] stateShape(long sequences, long heads, long keyWidth, long valueWidth) {
    return valueFirst
        ? new long[] {sequences, heads, valueWidth, keyWidth}
        : new long[] {sequences, heads, keyWidth, valueWidth};
  }

  static final class Chunk implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String value) {
      if (!List.of("16", "32", "64").contains(value)) {
        throw new TypeConversionException("expected 16, 32 or 64, found " + value);
      }
      return Integer.valueOf(value);
    }
  }
}
