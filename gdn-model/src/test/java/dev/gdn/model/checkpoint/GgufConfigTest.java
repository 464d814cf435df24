package dev.gdn.model.checkpoint;

import static dev.gdn.model.checkpoint.GgufVariants.floats;
import static dev.gdn.model.checkpoint.GgufVariants.ints;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gdn.core.tensor.Shape;
import dev.gdn.model.config.AttentionConfig;
import dev.gdn.model.config.GenerationConfig;
import dev.gdn.model.gguf.FileType;
import dev.gdn.model.gguf.GgmlType;
import dev.gdn.model.gguf.GgufArray;
import dev.gdn.model.gguf.GgufValue;
import dev.gdn.model.synth.TinyCheckpoint;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Numbers in a GGUF file's metadata: which are taken, and which are refused by name. */
class GgufConfigTest {
  @TempDir static Path folder;

  private static GgufVariants variants;

  @BeforeAll
  static void write() throws IOException {
    variants = new GgufVariants(folder, TinyCheckpoint.write(folder, FileType.F32));
  }

  @ParameterizedTest
  @CsvSource({
    "embedding_length, 0, 1048576",
    "context_length, 0, 2147483647",
    "attention.head_count, 0, 1048576",
    "attention.head_count_kv, 0, 1048576",
    "attention.key_length, 0, 1048576",
    "rope.dimension_count, 1, 32",
    "ssm.time_step_rank, 0, 1048576",
    "ssm.inner_size, 1048577, 1048576",
    "ssm.group_count, 0, 1048576",
    "ssm.conv_kernel, 1, 8",
    "ssm.conv_kernel, 9, 8",
    "feed_forward_length, 0, 1048576",
    "full_attention_interval, 0, 1048576"
  })
  void aSizeOutOfItsRange(String name, int size, int most) throws IOException {
    int least = name.equals("rope.dimension_count") || name.equals("ssm.conv_kernel") ? 2 : 1;
    variants.assertRefused(
        copy -> copy.put("qwen35." + name, GgufValue.of(size)),
        "qwen35." + name,
        "expected %d to %d, found %d".formatted(least, most, size));
  }

  @Test
  void sizesThatContradictEachOther() throws IOException {
    variants.assertRefused(
        copy -> copy.put("qwen35.attention.value_length", GgufValue.of(16)),
        "qwen35.attention.value_length",
        "expected 32, as the key's, found 16");
    variants.assertRefused(
        copy -> copy.put("qwen35.ssm.inner_size", GgufValue.of(66)),
        "qwen35.ssm.inner_size",
        "expected a multiple of the 4 value heads, found 66");
  }

  @Test
  void anEmbeddingThatIsNoMatrix() throws IOException {
    variants.assertRefused(
        copy -> copy.remove("token_embd.weight"),
        "tensor token_embd.weight",
        "expected a matrix, found none");
    variants.assertRefused(
        copy -> copy.add("token_embd.weight", GgmlType.F32, new Shape(4), floats(1, 2, 3, 4)),
        "tensor token_embd.weight",
        "expected a matrix, found [4]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "2 1 1     | 2 1 1",
        "2 1 1 0   | 2 1 1",
        "0 4 0     | 0 4 0",
        "11 11 10  | ",
        "11 11 10 0| "
      })
  void rotarySections(String stored, String expected) throws IOException {
    AttentionConfig attention =
        (AttentionConfig)
            GgufCheckpoint.open(
                    variants.changed(
                        copy -> copy.put("qwen35.rope.dimension_sections", ints(numbers(stored)))))
                .config()
                .attention();
    List<Integer> sections = attention.rotary().orElseThrow().sections();
    assertEquals(expected == null ? List.of() : list(expected), sections);
  }

  @ParameterizedTest
  @CsvSource({"2 1 2", "2 2", "2 1 1 1", "2 1 1 0 0", "5 -1 0", "2097152 2 2"})
  void rotarySectionsThatDoNotFit(String stored) throws IOException {
    variants.assertRefused(
        copy -> copy.put("qwen35.rope.dimension_sections", ints(numbers(stored))),
        "qwen35.rope.dimension_sections",
        "expected three lengths that add up to 4, found " + list(stored));
  }

  private static List<Integer> list(String numbers) {
    return List.of(numbers.split(" ")).stream().map(Integer::valueOf).toList();
  }

  private static int[] numbers(String numbers) {
    return list(numbers).stream().mapToInt(Integer::intValue).toArray();
  }

  @ParameterizedTest
  @CsvSource({
    "temp, -0.5",
    "top_p, 0",
    "top_p, 1.5",
    "min_p, -0.5",
    "min_p, 1.5",
    "penalty_repeat, 0",
    "penalty_repeat, 101"
  })
  void aRecommendationOutOfItsRange(String name, double value) throws IOException {
    variants.assertRefused(
        copy -> copy.put("general.sampling." + name, GgufValue.of(value)),
        "general.sampling." + name,
        "found " + value);
  }

  @Test
  void recommendationsAtTheEndsOfTheirRanges() throws IOException {
    GenerationConfig least = recommended(0, 0, 0, 0.5);
    assertEquals(OptionalDouble.of(0), least.temperature());
    assertEquals(OptionalInt.of(0), least.topK());
    assertEquals(OptionalDouble.of(0), least.minP());
    assertEquals(OptionalDouble.of(0.5), least.topP());
    GenerationConfig most = recommended(2, Integer.MAX_VALUE, 1, 1);
    assertEquals(OptionalDouble.of(2), most.temperature());
    assertEquals(OptionalInt.of(Integer.MAX_VALUE), most.topK());
    assertEquals(OptionalDouble.of(1), most.minP());
    assertEquals(OptionalDouble.of(1), most.topP());
  }

  private static GenerationConfig recommended(double temp, int topK, double minP, double topP)
      throws IOException {
    Path file =
        variants.changed(
            copy ->
                copy.put("general.sampling.temp", GgufValue.of(temp))
                    .put("general.sampling.top_k", GgufValue.of(topK))
                    .put("general.sampling.min_p", GgufValue.of(minP))
                    .put("general.sampling.top_p", GgufValue.of(topP)));
    return GgufCheckpoint.open(file).generationConfig();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      ignoreLeadingAndTrailingWhitespace = false,
      value = {"ab", " b", "a ", "a b c", "a  b", " "})
  void aMergeThatIsNoPair(String merge) throws IOException {
    variants.assertRefused(
        copy ->
            copy.put("tokenizer.ggml.merges", GgufValue.of(GgufArray.ofStrings(List.of(merge)))),
        "tokenizer.ggml.merges",
        "merge 0: expected two tokens and a space between them, found \"" + merge + "\"");
  }

  @Test
  void headsOfKeysAndValuesMayBeOne() throws IOException {
    Path file =
        variants.changed(copy -> copy.put("qwen35.attention.head_count_kv", ints(0, 0, 0, 1)));
    AttentionConfig attention = (AttentionConfig) GgufCheckpoint.open(file).config().attention();
    assertEquals(1, attention.keyValueHeads());
  }

  @Test
  void aModelOfLayersForPredictionAlone() throws IOException {
    variants.assertRefused(
        copy -> copy.put("qwen35.nextn_predict_layers", GgufValue.of(4)),
        "qwen35.nextn_predict_layers",
        "expected 0 to 3, found 4");
  }

  @Test
  void endTokensOfTheLeastAndTheLargestId() throws IOException {
    Path file =
        variants.changed(
            copy -> copy.put("tokenizer.ggml.eos_token_ids", ints(0, Integer.MAX_VALUE)));
    List<Integer> ids = GgufCheckpoint.open(file).generationConfig().endTokens();
    assertTrue(ids.containsAll(List.of(0, Integer.MAX_VALUE)), ids::toString);
  }

  @Test
  void typesThatEndBeforeAnEndToken() throws IOException {
    variants.assertRefused(
        copy -> copy.put("tokenizer.ggml.token_type", ints(new int[317])),
        "tokenizer.ggml.token_type",
        "expected 320, one for each token, found 317");
  }
}
