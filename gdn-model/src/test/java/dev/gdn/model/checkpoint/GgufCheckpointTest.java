package dev.gdn.model.checkpoint;

import static dev.gdn.model.checkpoint.GgufVariants.floats;
import static dev.gdn.model.checkpoint.GgufVariants.ints;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gdn.core.tensor.Shape;
import dev.gdn.model.LanguageModel;
import dev.gdn.model.config.GenerationConfig;
import dev.gdn.model.generation.SamplingOptions;
import dev.gdn.model.gguf.FileType;
import dev.gdn.model.gguf.GgmlType;
import dev.gdn.model.gguf.GgufArray;
import dev.gdn.model.gguf.GgufFile;
import dev.gdn.model.gguf.GgufValue;
import dev.gdn.model.gguf.GgufValueType;
import dev.gdn.model.synth.TinyCheckpoint;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The variants of GGUF checkpoints that exist. */
class GgufCheckpointTest {
  @TempDir static Path folder;

  private static GgufVariants variants;

  @BeforeAll
  static void write() throws IOException {
    variants = new GgufVariants(folder, TinyCheckpoint.write(folder, FileType.F32));
  }

  // What the third version added is files in the other order of bytes.
  @Test
  void filesOfTheSecondVersionAreTheSame() throws IOException {
    byte[] bytes = Files.readAllBytes(variants.original());
    assertEquals(3, bytes[4]);
    bytes[4] = 2;
    Path second = Files.write(folder.resolve("second.gguf"), bytes);
    assertArrayEquals(variants.logits(variants.original()), variants.logits(second));
  }

  @Test
  void threeSectionsAreFourWithoutTheLast() throws IOException {
    variants.assertSame(copy -> copy.put("qwen35.rope.dimension_sections", ints(2, 1, 1)));
  }

  @Test
  void theSectionsThatConvertersWriteForAnyModelSayNothing() throws IOException {
    variants.assertSame(copy -> copy.put("qwen35.rope.dimension_sections", ints(11, 11, 10, 0)));
    variants.assertSame(copy -> copy.put("qwen35.rope.dimension_sections", ints(11, 11, 10)));
  }

  @Test
  void headsMayBeListedForEachLayer() throws IOException {
    String key = "qwen35.attention.head_count_kv";
    String interval = "qwen35.full_attention_interval";
    variants.assertSame(copy -> copy.put(key, ints(0, 0, 0, 2)).put(interval, GgufValue.of(2)));
    variants.assertSame(copy -> copy.put(key, ints(2, 2, 2, 2)));
    variants.assertSame(
        copy ->
            copy.put(key, ints(0, 0, 0, 2))
                .put("qwen35.block_count", GgufValue.of(5))
                .put("qwen35.nextn_predict_layers", GgufValue.of(1)));
    String expected = "expected 1 to 1048576, the same for every attention layer, found ";
    variants.assertRefused(copy -> copy.put(key, ints(0, 0, 0, 0)), key, expected + "[]");
    variants.assertRefused(copy -> copy.put(key, ints(0, 0, 2, 1)), key, expected + "[2, 1]");
    variants.assertRefused(copy -> copy.put(key, ints(0, 0, 0, -2)), key, expected + "[-2]");
    variants.assertRefused(
        copy -> copy.put(key, ints(0, 2)), key, "expected 4, one for each block, found 2");
  }

  @Test
  void valueHeadsThatTheFileCallsTiledAreThat() throws IOException {
    String key = "qwen35.ssm.v_head_reordered";
    variants.assertSame(copy -> copy.put(key, GgufValue.of(true)));
    float[] grouped = variants.logits(variants.changed(copy -> copy.put(key, GgufValue.of(false))));
    assertFalse(Arrays.equals(variants.logits(variants.original()), grouped));
  }

  @Test
  void tiledValueHeadsHaveNoInterleavedProjections() throws IOException {
    variants.assertRefused(
        copy ->
            copy.remove("blk.0.ssm_beta.weight")
                .remove("blk.0.ssm_alpha.weight")
                .add(
                    "blk.0.ssm_ba.weight",
                    GgmlType.F32,
                    new Shape(8, 64),
                    MemorySegment.ofArray(new float[8 * 64])),
        "tensor blk.0.ssm_beta.weight",
        "missing, expected shape [4, 64]");
  }

  @Test
  void endTokensMayBeListedAndMinusOneIsNone() throws IOException {
    GgufValue none = new GgufValue.Whole(GgufValueType.UINT32, 0xFFFF_FFFFL);
    GgufValue signedNone = new GgufValue.Whole(GgufValueType.INT32, -1);
    Path file =
        variants.changed(
            copy ->
                copy.put("tokenizer.ggml.eos_token_id", GgufValue.of(7))
                    .put("tokenizer.ggml.eot_token_id", none)
                    .put("tokenizer.ggml.eom_token_id", signedNone)
                    .put("tokenizer.ggml.eos_token_ids", ints(9, 7)));
    List<Integer> ids = GgufCheckpoint.open(file).generationConfig().endTokens();
    assertEquals(List.of(7, 9), ids.subList(0, 2));
    assertEquals(ids.size(), ids.stream().distinct().count());
    variants.assertRefused(
        copy -> copy.put("tokenizer.ggml.eos_token_ids", ints(-3)),
        "tokenizer.ggml.eos_token_ids",
        "expected ids of at least 0, found -3");
  }

  @Test
  void noScalingMayBeSaid() throws IOException {
    variants.assertSame(copy -> copy.put("qwen35.rope.scaling.type", GgufValue.of("none")));
  }

  @Test
  void theTimeStepBiasAndTheDecayRateHaveTwoNames() throws IOException {
    variants.assertSame(copy -> copy.rename("blk.0.ssm_dt.bias", "blk.0.ssm_dt"));
    variants.assertSame(copy -> copy.rename("blk.0.ssm_a", "blk.0.ssm_a.weight"));
  }

  @Test
  void dimensionsOfOneAreNoDifference() throws IOException {
    variants.assertSame(
        copy -> {
          try (GgufFile file = GgufFile.open(variants.original())) {
            MemorySegment taps =
                MemorySegment.ofArray(
                    file.tensors().get("blk.0.ssm_conv1d.weight").toStored().toFloats());
            return copy.add("blk.0.ssm_conv1d.weight", GgmlType.F32, new Shape(128, 1, 4), taps);
          }
        });
  }

  @Test
  void visionAndPredictionTensorsArePassedOver() throws IOException {
    variants.assertSame(
        copy ->
            copy.put("qwen35.block_count", GgufValue.of(5))
                .put("qwen35.nextn_predict_layers", GgufValue.of(1))
                .add("blk.4.nextn.eh_proj.weight", GgmlType.F32, new Shape(1), floats(1))
                .add("blk.4.attn_norm.weight", GgmlType.F32, new Shape(1), floats(1))
                .add("v.patch_embd.weight", GgmlType.F32, new Shape(1), floats(1))
                .add("mm.0.weight", GgmlType.F32, new Shape(1), floats(1))
                .add("mtp.fc.weight", GgmlType.F32, new Shape(1), floats(1)));
  }

  @Test
  void layersThatTheFileDoesNotCountAreRefused() throws IOException {
    variants.assertRefused(
        copy -> copy.put("qwen35.block_count", GgufValue.of(3)),
        "tensor blk.3.attn_norm.weight",
        "unknown");
  }

  @Test
  void vectorsMayHaveTwoDimensions() throws IOException {
    variants.assertSame(
        copy -> {
          try (GgufFile file = GgufFile.open(variants.original())) {
            for (String name : List.of("blk.0.ssm_a", "blk.1.ssm_dt.bias")) {
              float[] values = file.tensors().get(name).toStored().toFloats();
              copy.add(name, GgmlType.F32, new Shape(4, 1), floats(values));
            }
            return copy;
          }
        });
  }

  @Test
  void aStateMayBeKeptWithoutDecay() throws IOException {
    Path file =
        variants.changed(
            copy -> copy.add("blk.0.ssm_a", GgmlType.F32, new Shape(4), floats(0, -1, -0f, -1)));
    for (float logit : variants.logits(file)) {
      assertTrue(Float.isFinite(logit));
    }
  }

  @Test
  void linearLayersMayBeListed() throws IOException {
    GgufValue listed = GgufValue.of(GgufArray.ofBooleans(true, true, true, false));
    variants.assertSame(
        copy ->
            copy.put("qwen35.attention.recurrent_layers", listed)
                .put("qwen35.full_attention_interval", GgufValue.of(2)));
    variants.assertRefused(
        copy ->
            copy.put("qwen35.attention.recurrent_layers", GgufValue.of(GgufArray.ofBooleans(true))),
        "qwen35.attention.recurrent_layers",
        "expected 4, one for each block, found 1");
    variants.assertRefused(
        copy -> copy.put("qwen35.attention.recurrent_layers", ints(1, 1, 1, 0)),
        "qwen35.attention.recurrent_layers",
        "expected an array of BOOL, found one of INT32");
  }

  @Test
  void anUntiedHeadIsUsed() throws IOException {
    float[] zeros = new float[320 * 64];
    Path file =
        variants.changed(
            copy -> copy.add("output.weight", GgmlType.F32, new Shape(320, 64), floats(zeros)));
    assertArrayEquals(new float[320], variants.logits(file));
  }

  @Test
  void samplingIsRecommendedAsTheFileSays() throws IOException {
    Path file =
        variants.changed(
            copy ->
                copy.put("general.sampling.temp", GgufValue.of(0.5))
                    .put("general.sampling.min_p", GgufValue.of(0.25))
                    .put("general.sampling.penalty_repeat", GgufValue.of(1.5))
                    .put("general.sampling.top_k", new GgufValue.Whole(GgufValueType.INT32, 20))
                    .put("tokenizer.ggml.eot_token_id", GgufValue.of(319)));
    GenerationConfig generation = GgufCheckpoint.open(file).generationConfig();
    assertEquals(List.of(317, 319), generation.endTokens());
    assertEquals(OptionalDouble.of(0.5), generation.temperature());
    assertEquals(OptionalInt.of(20), generation.topK());
    assertEquals(OptionalDouble.empty(), generation.topP());
    try (LanguageModel model = LanguageModel.open(file)) {
      SamplingOptions suggested = model.defaultOptions().sampling();
      assertEquals(0.5f, suggested.temperature());
      assertEquals(20, suggested.topK());
      assertEquals(SamplingOptions.defaults().topP(), suggested.topP());
      assertEquals(0.25f, suggested.minP());
      assertEquals(1.5f, suggested.repetitionPenalty());
    }
  }

  @Test
  void textsEndAtWhatTheFileNamesAndAtTheTokensOfTheFamily() throws IOException {
    assertEquals(
        List.of(317, 319), GgufCheckpoint.open(variants.original()).generationConfig().endTokens());
    Path file =
        variants.changed(
            copy ->
                copy.put("tokenizer.ggml.eos_token_id", GgufValue.of(319))
                    .put("tokenizer.ggml.eom_token_id", GgufValue.of(7)));
    assertEquals(List.of(319, 7, 317), GgufCheckpoint.open(file).generationConfig().endTokens());
  }

  @Test
  void aWordThatReadsLikeAnEndIsNone() throws IOException {
    Path file =
        variants.changed(
            copy -> {
              try (GgufFile opened = GgufFile.open(variants.original())) {
                long[] types =
                    opened.metadata().findWholes("tokenizer.ggml.token_type").orElseThrow();
                types[319] = 1;
                int[] changed = Arrays.stream(types).mapToInt(Math::toIntExact).toArray();
                return copy.put("tokenizer.ggml.token_type", ints(changed));
              }
            });
    assertEquals(List.of(317), GgufCheckpoint.open(file).generationConfig().endTokens());
  }

  @Test
  void tokensMayBeBytesAndUnknown() throws IOException {
    int[] types = new int[320];
    Arrays.fill(types, 1);
    types[0] = 2;
    types[1] = 6;
    Path file = variants.changed(copy -> copy.put("tokenizer.ggml.token_type", ints(types)));
    try (LanguageModel model = LanguageModel.open(file)) {
      int[] ids = model.tokenizer().encode("aab", false);
      assertEquals("aab", model.tokenizer().decode(ids));
    }
  }
}
