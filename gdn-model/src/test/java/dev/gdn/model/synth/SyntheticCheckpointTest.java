package dev.gdn.model.synth;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gdn.core.concurrent.Workers;
import dev.gdn.model.LanguageModel;
import dev.gdn.model.config.MixtureOfExperts;
import dev.gdn.model.config.ModelConfig;
import dev.gdn.model.gguf.FileType;
import dev.gdn.model.tokenizer.BpeVocabulary;
import dev.gdn.model.tokenizer.Tokenizer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SyntheticCheckpointTest {
  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(FileType.class)
  void opensWithItsSizesAndComputesSaneLogits(FileType type) throws IOException {
    opensWithItsSizesAndComputesSaneLogits(TinyCheckpoint.CONFIG, type);
    opensWithItsSizesAndComputesSaneLogits(TinyCheckpoint.MIXTURE, type);
  }

  private void opensWithItsSizesAndComputesSaneLogits(ModelConfig config, FileType type)
      throws IOException {
    try (LanguageModel model = LanguageModel.open(TinyCheckpoint.write(folder, config, type))) {
      assertEquals(config, model.config());
      assertEquals(List.of(317, 319), model.generationConfig().endTokens());
      float[] logits = model.newSession().prefill(IntStream.range(0, 100).toArray());
      double squares = 0;
      for (float logit : logits) {
        assertTrue(Float.isFinite(logit));
        squares += logit * logit;
      }
      double deviation = Math.sqrt(squares / logits.length);
      assertTrue(deviation > 0.1 && deviation < 5, "logits deviate by " + deviation);
    }
  }

  @Test
  void typesDifferByRoundingAlone() throws IOException {
    float[] exact = logits(FileType.F32);
    for (FileType type : FileType.values()) {
      double worst = 0;
      float[] logits = logits(type);
      for (int i = 0; i < exact.length; i++) {
        worst = Math.max(worst, Math.abs(logits[i] - exact[i]));
      }
      double bound =
          switch (type) {
            case F32 -> 0;
            case F16 -> 0.02;
            case BF16, Q8_0 -> 0.2;
            case Q6_K -> 0.4;
            case Q5_K_M, Q5_0, Q5_1 -> 1;
            case Q4_K_M, Q4_0, Q4_1 -> 2;
          };
      assertTrue(worst <= bound, type + " differs by " + worst);
    }
  }

  private float[] logits(FileType type) throws IOException {
    try (LanguageModel model = LanguageModel.open(TinyCheckpoint.write(folder, type))) {
      return model.newSession().prefill(IntStream.range(0, 20).toArray()).clone();
    }
  }

  @Test
  void theTokenizerUsesItsMergesAndSpecialTokens() throws IOException {
    try (LanguageModel model = LanguageModel.open(TinyCheckpoint.write(folder, FileType.Q8_0))) {
      Tokenizer tokenizer = model.tokenizer();
      String text = "aaab, Äther\n<|im_start|> 世界";
      int[] ids = tokenizer.encode(text, true);
      assertEquals(text, tokenizer.decode(ids));
      assertEquals("aa", tokenizer.decode(ids[0]));
      assertEquals("ab", tokenizer.decode(ids[1]));
      assertTrue(IntStream.of(ids).anyMatch(id -> id == 318));
      assertTrue(tokenizer.isSpecial(318));
    }
  }

  @Test
  void theSameSeedGivesTheSameFileForAnyNumberOfThreads() throws IOException {
    Path one = TinyCheckpoint.write(folder, FileType.Q4_0);
    Path other = folder.resolve("other.gguf");
    SyntheticCheckpoint.write(
        "tiny", TinyCheckpoint.CONFIG, FileType.Q4_0, 1, other, Workers.of(3), (b, t) -> {});
    assertArrayEquals(Files.readAllBytes(one), Files.readAllBytes(other));
    SyntheticCheckpoint.write(
        "tiny", TinyCheckpoint.CONFIG, FileType.Q4_0, 2, other, Workers.of(3), (b, t) -> {});
    assertTrue(Files.mismatch(one, other) > 0);
  }

  @Test
  void vocabulariesOfPublishedSizeHaveDistinctTokens() {
    BpeVocabulary vocabulary = SyntheticVocabulary.of(151_936);
    assertEquals(151_936 - 3, vocabulary.tokens().size());
    assertEquals(151_936 - 3, new HashSet<>(vocabulary.tokens().values()).size());
    assertEquals(151_936 - 256 - 3, vocabulary.merges().size());
    assertEquals(151_933, vocabulary.addedTokens().getFirst().id());
    assertThrows(IllegalArgumentException.class, () -> SyntheticVocabulary.of(258));
  }

  @Test
  void shapesAreFoundByName() {
    ModelConfig config = ModelShape.named("qwen3.5-0.8b").config();
    assertEquals(1024, config.hiddenSize());
    assertEquals(24, config.layers().size());
    ModelConfig large = ModelShape.named("qwen3.5-35b-a3b").config();
    assertEquals(40, large.layers().size());
    assertEquals(new MixtureOfExperts(256, 8, true, 512, 512), large.feedForwards().getLast());
    IllegalArgumentException refusal =
        assertThrows(IllegalArgumentException.class, () -> ModelShape.named("qwen3.5-1b"));
    assertEquals(
        "shape: expected one of qwen3.5-0.8b, qwen3.5-2b, qwen3.5-4b, qwen3.5-9b,"
            + " qwen3.5-35b-a3b, found qwen3.5-1b",
        refusal.getMessage());
  }

  @Test
  void aShapeIsCutToItsFirstLayers() {
    ModelShape shape = ModelShape.QWEN3_5_35B_A3B;
    ModelConfig cut = shape.config(4);
    assertEquals(shape.config().layers().subList(0, 4), cut.layers());
    assertEquals(4, cut.feedForwards().size());
    assertEquals(shape.config(), shape.config(40));
    for (int layers : new int[] {-1, 0, 41}) {
      String refusal =
          assertThrows(IllegalArgumentException.class, () -> shape.config(layers)).getMessage();
      assertEquals("layers: expected 1 to 40, found " + layers, refusal);
    }
  }
}
