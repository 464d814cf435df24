package dev.gdn.core.rule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RuleParametersTest {
  private static RuleParameters parameters(float scale, int chunk) {
    return new RuleParameters(scale, false, HeadMapping.GROUPED, chunk);
  }

  @Test
  void theStandardScaleIsOneByTheRootOfTheKeyWidth() {
    RuleParameters standard = RuleParameters.standard(64, HeadMapping.TILED);
    assertEquals(
        new RuleParameters(0.125f, true, HeadMapping.TILED, 32, StateUpdate.DELTA), standard);
  }

  @ParameterizedTest
  @ValueSource(ints = {16, 32, 64})
  void chunksOfTheseSizesAreTaken(int chunk) {
    assertEquals(chunk, parameters(1, chunk).chunk());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 8, 48, 128, -16})
  void otherChunksAreRefused(int chunk) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> parameters(1, chunk)).getMessage();
    assertEquals("chunk: expected 16, 32 or 64, found " + chunk, message);
  }

  @ParameterizedTest
  @ValueSource(floats = {Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY})
  void aScaleThatIsNotFiniteIsRefused(float scale) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> parameters(scale, 32)).getMessage();
    assertEquals("scale: expected a finite number, found " + scale, message);
  }
}
