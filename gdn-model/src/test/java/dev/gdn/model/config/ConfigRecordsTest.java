package dev.gdn.model.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Configurations that a program makes itself, without a file. */
class ConfigRecordsTest {
  private static final RotaryConfig ROTARY = new RotaryConfig(4, 1e4, List.of());

  private static void refused(Runnable made, String message) {
    assertEquals(message, assertThrows(IllegalArgumentException.class, made::run).getMessage());
  }

  @Test
  void sizesOfAttentionAreChecked() {
    refused(() -> attention(0, 1, 4), "heads: expected at least 1, found 0");
    refused(() -> attention(2, 0, 4), "keyValueHeads: expected at least 1, found 0");
    refused(() -> attention(2, 1, -1), "headWidth: expected at least 1, found -1");
    refused(() -> attention(3, 2, 4), "heads: expected a multiple of keyValueHeads 2, found 3");
    refused(() -> attention(2, 1, 3), "headWidth: expected at least the rotary width 4, found 3");
    assertEquals(4, attention(2, 2, 4).headWidth());
  }

  private static AttentionConfig attention(int heads, int keyValueHeads, int headWidth) {
    return new AttentionConfig(heads, keyValueHeads, headWidth, ROTARY);
  }

  @Test
  void sizesOfLinearAttentionAreChecked() {
    refused(() -> linear(0, 4, 8, 8, 4), "keyHeads: expected at least 1, found 0");
    refused(() -> linear(2, 0, 8, 8, 4), "valueHeads: expected at least 1, found 0");
    refused(() -> linear(2, 3, 8, 8, 4), "valueHeads: expected a multiple of keyHeads 2, found 3");
    refused(() -> linear(2, 4, 0, 8, 4), "keyWidth: expected at least 1, found 0");
    refused(() -> linear(2, 4, 8, 0, 4), "valueWidth: expected at least 1, found 0");
    refused(() -> linear(2, 4, 8, 8, 0), "convolutionWidth: expected at least 1, found 0");
    assertEquals(1 << 13, linear(1, 2, 1 << 12, 1 << 13, 4).valueWidth(), "the largest state");
    refused(
        () -> linear(1, 2, 1 << 12, (1 << 13) + 1, 4),
        "state: expected at most 67108864 numbers, found 2 heads of 4096 x 8193");
  }

  private static LinearAttentionConfig linear(
      int keyHeads, int valueHeads, int keyWidth, int valueWidth, int convolutionWidth) {
    return new LinearAttentionConfig(keyHeads, valueHeads, keyWidth, valueWidth, convolutionWidth);
  }

  @Test
  void sizesOfMixturesAreChecked() {
    refused(() -> mixture(0, 1, 8, 8), "experts: expected at least 1, found 0");
    refused(() -> mixture(4, 0, 8, 8), "expertsPerToken: expected at least 1, found 0");
    refused(() -> mixture(4, 2, 0, 8), "intermediateSize: expected at least 1, found 0");
    refused(() -> mixture(4, 2, 8, 0), "sharedIntermediateSize: expected at least 1, found 0");
    String limits = "experts: expected from %d, as many as a token goes to, up to 16384, found %d";
    refused(() -> mixture(4, 5, 8, 8), limits.formatted(5, 4));
    refused(() -> mixture(16_385, 2, 8, 8), limits.formatted(2, 16_385));
    assertEquals(4, mixture(4, 4, 8, 8).expertsPerToken());
    assertEquals(16_384, mixture(16_384, 2, 8, 8).experts());
  }

  private static MixtureOfExperts mixture(int experts, int perToken, int size, int shared) {
    return new MixtureOfExperts(experts, perToken, new SoftmaxRouting(true), size, shared, true);
  }

  @Test
  void sizesOfModelsAreChecked() {
    refused(() -> model(0, 8, 2, 1e-6, 16), "vocabularySize: expected at least 1, found 0");
    refused(() -> model(9, 0, 2, 1e-6, 16), "hiddenSize: expected at least 1, found 0");
    refused(() -> model(9, 8, 0, 1e-6, 16), "number of layers: expected at least 1, found 0");
    refused(() -> model(9, 8, 2, 0, 16), "normEpsilon: expected a number over 0, found 0.0");
    refused(() -> model(9, 8, 2, 1e-6, 0), "maxPositions: expected at least 1, found 0");
    assertEquals(Optional.empty(), model(9, 8, 2, 1e-6, 16).ngrams());
  }

  /** What is hashed of a configuration is the same in every process. */
  @Test
  void theLayersWithNormsAfterTheirBlocksComeInOrder() {
    List<LayerType> both = List.of(LayerType.values());
    for (List<LayerType> given : List.of(both, both.reversed())) {
      NormedResidual residual = new NormedResidual(new LinkedHashSet<>(given));
      assertEquals(both, List.copyOf(residual.normedOutputs()));
    }
    assertThrows(
        UnsupportedOperationException.class,
        () -> NormedResidual.BEFORE.normedOutputs().add(LayerType.FULL_ATTENTION));
  }

  private static ModelConfig model(
      int vocabulary, int hidden, int layers, double epsilon, int positions) {
    return new ModelConfig(
        Architecture.QWEN3_5,
        vocabulary,
        hidden,
        Collections.nCopies(layers, LayerType.LINEAR_ATTENTION),
        epsilon,
        true,
        positions,
        attention(2, 1, 4),
        linear(1, 2, 4, 4, 4),
        Collections.nCopies(layers, new DenseFeedForward(8)));
  }
}
