package dev.gdn.kernels.vector;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.gdn.core.tensor.DataType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** On threads of its own, nobody would hear of a failure. */
class WarmUpTest {
  @Test
  void noLoopOfAllModelsFails() {
    runEach(WarmUpLoops.ofFew());
    runEach(WarmUpLoops.ofMany());
  }

  @ParameterizedTest
  @EnumSource
  void noLoopOfATypeFails(DataType type) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment weights = arena.allocate(WarmUpLoops.WEIGHT_BYTES);
      List<WarmUpLoop> loops = new ArrayList<>(WarmUpLoops.ofFew(List.of(type), weights));
      loops.addAll(WarmUpLoops.ofMany(List.of(type), weights));
      runEach(loops);
    }
  }

  @Test
  void nothingElseFails() {
    assertDoesNotThrow(
        () -> WarmUp.run(weights -> WarmUpLoops.ofFew(List.of(DataType.Q8_0), weights)));
  }

  private static void runEach(List<WarmUpLoop> loops) {
    assertFalse(loops.isEmpty());
    for (WarmUpLoop loop : loops) {
      loop.run(0);
      loop.run(WarmUpLoops.STEPS);
    }
  }
}
