package dev.gdn.model.checkpoint;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gdn.model.config.Architecture;
import dev.gdn.model.config.AttentionConfig;
import dev.gdn.model.config.FeedForwardConfig;
import dev.gdn.model.config.FullAttentionConfig;
import dev.gdn.model.config.LayerType;
import dev.gdn.model.config.MixtureOfExperts;
import dev.gdn.model.config.ModelConfig;
import dev.gdn.model.config.RotaryConfig;
import dev.gdn.model.gguf.FileType;
import dev.gdn.model.gguf.GgufFile;
import dev.gdn.model.gguf.GgufMetadata;
import dev.gdn.model.gguf.GgufWriter;
import dev.gdn.model.synth.TinyCheckpoint;
import dev.gdn.model.tokenizer.AddedToken;
import dev.gdn.model.tokenizer.BpeVocabulary;
import dev.gdn.model.tokenizer.SplitPatterns;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is written into a GGUF file's metadata, and read from it again. */
class GgufDescriptionTest {
  @TempDir Path folder;

  /** The tiny one with other layers, {@code F} of full and {@code L} of linear attention. */
  private static ModelConfig layers(String kinds) {
    List<LayerType> layers =
        kinds
            .chars()
            .mapToObj(c -> c == 'F' ? LayerType.FULL_ATTENTION : LayerType.LINEAR_ATTENTION)
            .toList();
    ModelConfig tiny = TinyCheckpoint.CONFIG;
    FeedForwardConfig feedForward = tiny.feedForwards().getFirst();
    return new ModelConfig(
        tiny.architecture(),
        tiny.vocabularySize(),
        tiny.hiddenSize(),
        layers,
        tiny.normEpsilon(),
        tiny.tiedEmbedding(),
        tiny.maxPositions(),
        tiny.attention(),
        tiny.linearAttention(),
        Collections.nCopies(layers.size(), feedForward));
  }

  @ParameterizedTest
  @ValueSource(strings = {"LLLF", "LFLFL", "LLFL", "F", "FF", "L", "LLL"})
  void layersOfARegularPlanAreAnInterval(String kinds) throws IOException {
    Path file = TinyCheckpoint.write(folder, layers(kinds), FileType.F32);
    assertEquals(layers(kinds), Checkpoint.open(file).config());
    try (GgufFile opened = GgufFile.open(file)) {
      GgufMetadata metadata = opened.metadata();
      int interval = kinds.contains("F") ? kinds.indexOf('F') + 1 : kinds.length() + 1;
      assertEquals(interval, metadata.whole("qwen35.full_attention_interval", 1, 100));
      assertFalse(metadata.values().containsKey("qwen35.attention.recurrent_layers"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"LFF", "FL", "LFLLF", "FFL"})
  void layersOfAnotherPlanAreListed(String kinds) throws IOException {
    Path file = TinyCheckpoint.write(folder, layers(kinds), FileType.F32);
    assertEquals(layers(kinds), Checkpoint.open(file).config());
    try (GgufFile opened = GgufFile.open(file)) {
      GgufMetadata metadata = opened.metadata();
      boolean[] linear = metadata.findFlags("qwen35.attention.recurrent_layers").orElseThrow();
      for (int i = 0; i < linear.length; i++) {
        assertEquals(kinds.charAt(i) == 'L', linear[i], "layer " + i);
      }
      assertFalse(metadata.values().containsKey("qwen35.full_attention_interval"));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aMixtureSaysWhetherItsWeightsAreNormalised(boolean normalised) throws IOException {
    ModelConfig config =
        with(
            TinyCheckpoint.MIXTURE.architecture(),
            TinyCheckpoint.MIXTURE.attention(),
            new MixtureOfExperts(6, 2, normalised, 32, 64));
    Path file = TinyCheckpoint.write(folder, config, FileType.F32);
    assertEquals(config, Checkpoint.open(file).config());
  }

  /** A layer without a router is dense. */
  @Test
  void aMixtureMayHaveDenseLayers() throws IOException {
    FeedForwardConfig dense = TinyCheckpoint.CONFIG.feedForwards().getFirst();
    FeedForwardConfig mixture = TinyCheckpoint.MIXTURE.feedForwards().getFirst();
    ModelConfig config =
        with(
            Architecture.QWEN3_5_MOE,
            TinyCheckpoint.MIXTURE.attention(),
            List.of(dense, mixture, mixture, dense));
    Path file = TinyCheckpoint.write(folder, config, FileType.F32);
    assertEquals(config, Checkpoint.open(file).config());
  }

  private static ModelConfig with(
      Architecture architecture, FullAttentionConfig attention, FeedForwardConfig feedForward) {
    return with(
        architecture,
        attention,
        Collections.nCopies(TinyCheckpoint.CONFIG.layers().size(), feedForward));
  }

  private static ModelConfig with(
      Architecture architecture,
      FullAttentionConfig attention,
      List<FeedForwardConfig> feedForwards) {
    ModelConfig tiny = TinyCheckpoint.CONFIG;
    return new ModelConfig(
        architecture,
        tiny.vocabularySize(),
        tiny.hiddenSize(),
        tiny.layers(),
        tiny.normEpsilon(),
        tiny.tiedEmbedding(),
        tiny.maxPositions(),
        attention,
        tiny.linearAttention(),
        feedForwards);
  }

  /** What is left in a file that has this description alone. */
  private <T> T written(
      Architecture architecture,
      Consumer<GgufDescription> description,
      Function<GgufMetadata, T> question)
      throws IOException {
    GgufWriter writer = new GgufWriter();
    description.accept(new GgufDescription(writer, architecture));
    Path file = folder.resolve("described.gguf");
    writer.write(file, (bytes, total) -> {});
    try (GgufFile opened = GgufFile.open(file)) {
      return question.apply(opened.metadata());
    }
  }

  private long[] sections(List<Integer> sections) throws IOException {
    ModelConfig config =
        with(
            Architecture.QWEN3_5,
            new AttentionConfig(4, 2, 32, new RotaryConfig(8, 1e6, sections)),
            TinyCheckpoint.CONFIG.feedForwards().getFirst());
    return written(
        Architecture.QWEN3_5,
        description -> description.putModel("tiny", config, FileType.F32),
        metadata -> metadata.findWholes("qwen35.rope.dimension_sections").orElseThrow());
  }

  @Test
  void rotaryPairsAreDividedAmongFourPositions() throws IOException {
    assertArrayEquals(new long[] {2, 1, 1, 0}, sections(List.of(2, 1, 1)));
    assertArrayEquals(new long[] {4, 0, 0, 0}, sections(List.of()));
  }

  @Test
  void qwen3NextHasNoSuchDivision() throws IOException {
    ModelConfig config =
        with(
            Architecture.QWEN3_NEXT,
            TinyCheckpoint.MIXTURE.attention(),
            TinyCheckpoint.MIXTURE.feedForwards().getFirst());
    Set<String> keys =
        written(
            Architecture.QWEN3_NEXT,
            description -> description.putModel("tiny", config, FileType.F32),
            metadata -> Set.copyOf(metadata.values().keySet()));
    assertTrue(keys.contains("qwen3next.rope.dimension_count"), keys.toString());
    assertFalse(keys.contains("qwen3next.rope.dimension_sections"), keys.toString());
  }

  @Test
  void modelsOfOtherArchitecturesAreRefused() {
    String message =
        assertThrows(
                IllegalArgumentException.class,
                () -> new GgufDescription(new GgufWriter(), Architecture.OLMO_HYBRID))
            .getMessage();
    assertEquals(
        "architecture: expected one that is written as GGUF,"
            + " QWEN3_5, QWEN3_5_MOE, QWEN3_NEXT, found OLMO_HYBRID",
        message);
  }

  private static BpeVocabulary vocabulary(String splitPattern, AddedToken... added) {
    return new BpeVocabulary(
        Map.of("a", 0, "b", 1), List.of(), List.of(added), splitPattern, true, false);
  }

  @Test
  void tokensHaveTypesAndOtherIdsArePadded() throws IOException {
    BpeVocabulary vocabulary =
        vocabulary(
            SplitPatterns.QWEN2,
            new AddedToken(3, "<|end|>", true, false),
            new AddedToken(4, "<think>", false, false));
    Consumer<GgufDescription> description = d -> d.putTokenizer(vocabulary, 6, List.of(3));
    assertEquals(
        List.of("a", "b", "[PAD2]", "<|end|>", "<think>", "[PAD5]"),
        written(
            Architecture.QWEN3_5,
            description,
            metadata -> metadata.strings(GgufVocabulary.TOKENS)));
    // llama.cpp's numbers: 1 is normal, 3 control, 4 defined by the user, 5 unused.
    assertArrayEquals(
        new long[] {1, 1, 5, 3, 4, 5},
        written(
            Architecture.QWEN3_5,
            description,
            metadata -> metadata.findWholes(GgufVocabulary.TYPES).orElseThrow()));
  }

  private static String refusal(BpeVocabulary vocabulary, int size) {
    GgufDescription description = new GgufDescription(new GgufWriter(), Architecture.QWEN3_5);
    return assertThrows(
            IllegalArgumentException.class,
            () -> description.putTokenizer(vocabulary, size, List.of()))
        .getMessage();
  }

  @Test
  void aTokenBeyondTheEmbeddingIsRefused() {
    BpeVocabulary vocabulary =
        vocabulary(SplitPatterns.QWEN2, new AddedToken(3, "<|end|>", true, false));
    assertEquals("token \"<|end|>\": expected an id below 3, found 3", refusal(vocabulary, 3));
    assertEquals("token \"<|end|>\": expected an id below 2, found 3", refusal(vocabulary, 2));
  }

  @Test
  void aSplitPatternWithoutANameIsRefused() {
    assertEquals(
        "split pattern: expected that of a Qwen tokenizer, found \\s+",
        refusal(vocabulary("\\s+"), 3));
  }

  @Test
  void aModelWithoutATokenizerSaysItsSize() throws IOException {
    Consumer<GgufDescription> description = d -> d.putNoTokenizer(48, List.of(7, 9));
    assertEquals(
        List.of("none", 48, 7, 9),
        written(
            Architecture.QWEN3_5,
            description,
            metadata ->
                List.of(
                    metadata.text("tokenizer.ggml.model"),
                    metadata.whole("qwen35.vocab_size", 1, 100),
                    metadata.whole(GgufConfig.END_TOKENS.get(0), 0, 100),
                    metadata.whole(GgufConfig.END_TOKENS.get(1), 0, 100))));
  }
}
