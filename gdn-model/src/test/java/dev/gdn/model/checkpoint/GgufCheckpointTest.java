package dev.gdn.model.checkpoint;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gdn.core.tensor.Shape;
import dev.gdn.model.LanguageModel;
import dev.gdn.model.config.GenerationConfig;
import dev.gdn.model.error.CheckpointException;
import dev.gdn.model.generation.SamplingOptions;
import dev.gdn.model.gguf.FileType;
import dev.gdn.model.gguf.GgmlType;
import dev.gdn.model.gguf.GgufArray;
import dev.gdn.model.gguf.GgufFile;
import dev.gdn.model.gguf.GgufValue;
import dev.gdn.model.gguf.GgufValueType;
import dev.gdn.model.synth.TinyCheckpoint;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The variants of GGUF checkpoints that exist, and those that cannot be used. */
class GgufCheckpointTest {
  @TempDir static Path folder;

  private static Path original;

  @BeforeAll
  static void write() throws IOException {
    original = TinyCheckpoint.write(folder, FileType.F32);
  }

  private static Path changed(UnaryOperator<GgufCopy> change) throws IOException {
    try (GgufCopy copy = new GgufCopy(original)) {
      return change.apply(copy).write(folder.resolve("changed.gguf"));
    }
  }

  private static float[] logits(Path file) {
    try (LanguageModel model = LanguageModel.open(file)) {
      return model.newSession().prefill(5, 200, 7, 7, 31).clone();
    }
  }

  private static void assertSame(UnaryOperator<GgufCopy> change) throws IOException {
    assertArrayEquals(logits(original), logits(changed(change)));
  }

  private static void assertRefused(UnaryOperator<GgufCopy> change, String subject, String problem)
      throws IOException {
    Path file = changed(change);
    CheckpointException refusal =
        assertThrows(
            CheckpointException.class,
            () -> {
              try (LanguageModel model = LanguageModel.open(file)) {
                model.tokenizer();
              }
            });
    assertEquals(file, refusal.file());
    assertEquals(subject, refusal.subject());
    assertTrue(refusal.getMessage().contains(problem), refusal.getMessage());
  }

  private static MemorySegment floats(float... values) {
    return MemorySegment.ofArray(values);
  }

  private static GgufValue ints(int... values) {
    return GgufValue.of(GgufArray.ofInts(values));
  }

  @Test
  void threeSectionsAreFourWithoutTheLast() throws IOException {
    assertSame(copy -> copy.put("qwen35.rope.dimension_sections", ints(2, 1, 1)));
  }

  @Test
  void theSectionsThatConvertersWriteForAnyModelSayNothing() throws IOException {
    assertSame(copy -> copy.put("qwen35.rope.dimension_sections", ints(11, 11, 10, 0)));
    assertSame(copy -> copy.put("qwen35.rope.dimension_sections", ints(11, 11, 10)));
  }

  @Test
  void headsMayBeListedForEachLayer() throws IOException {
    String key = "qwen35.attention.head_count_kv";
    String interval = "qwen35.full_attention_interval";
    assertSame(copy -> copy.put(key, ints(0, 0, 0, 2)).put(interval, GgufValue.of(2)));
    assertSame(copy -> copy.put(key, ints(2, 2, 2, 2)));
    assertSame(
        copy ->
            copy.put(key, ints(0, 0, 0, 2))
                .put("qwen35.block_count", GgufValue.of(5))
                .put("qwen35.nextn_predict_layers", GgufValue.of(1)));
    String expected = "expected 1 to 1048576, the same for every attention layer, found ";
    assertRefused(copy -> copy.put(key, ints(0, 0, 0, 0)), key, expected + "[]");
    assertRefused(copy -> copy.put(key, ints(0, 0, 2, 1)), key, expected + "[2, 1]");
    assertRefused(copy -> copy.put(key, ints(0, 0, 0, -2)), key, expected + "[-2]");
    assertRefused(
        copy -> copy.put(key, ints(0, 2)), key, "expected 4, one for each block, found 2");
  }

  @Test
  void valueHeadsThatTheFileCallsTiledAreThat() throws IOException {
    String key = "qwen35.ssm.v_head_reordered";
    assertSame(copy -> copy.put(key, GgufValue.of(true)));
    float[] grouped = logits(changed(copy -> copy.put(key, GgufValue.of(false))));
    assertFalse(Arrays.equals(logits(original), grouped));
  }

  @Test
  void tiledValueHeadsHaveNoInterleavedProjections() throws IOException {
    assertRefused(
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
        changed(
            copy ->
                copy.put("tokenizer.ggml.eos_token_id", GgufValue.of(7))
                    .put("tokenizer.ggml.eot_token_id", none)
                    .put("tokenizer.ggml.eom_token_id", signedNone)
                    .put("tokenizer.ggml.eos_token_ids", ints(9, 7)));
    List<Integer> ids = GgufCheckpoint.open(file).generationConfig().endTokens();
    assertEquals(List.of(7, 9), ids.subList(0, 2));
    assertEquals(ids.size(), ids.stream().distinct().count());
    assertRefused(
        copy -> copy.put("tokenizer.ggml.eos_token_ids", ints(-3)),
        "tokenizer.ggml.eos_token_ids",
        "expected ids of at least 0, found -3");
  }

  @Test
  void noScalingMayBeSaid() throws IOException {
    assertSame(copy -> copy.put("qwen35.rope.scaling.type", GgufValue.of("none")));
  }

  @Test
  void theTimeStepBiasAndTheDecayRateHaveTwoNames() throws IOException {
    assertSame(copy -> copy.rename("blk.0.ssm_dt.bias", "blk.0.ssm_dt"));
    assertSame(copy -> copy.rename("blk.0.ssm_a", "blk.0.ssm_a.weight"));
  }

  @Test
  void dimensionsOfOneAreNoDifference() throws IOException {
    assertSame(
        copy -> {
          try (GgufFile file = GgufFile.open(original)) {
            MemorySegment taps =
                MemorySegment.ofArray(
                    file.tensors().get("blk.0.ssm_conv1d.weight").toStored().toFloats());
            return copy.add("blk.0.ssm_conv1d.weight", GgmlType.F32, new Shape(128, 1, 4), taps);
          }
        });
  }

  @Test
  void visionAndPredictionTensorsArePassedOver() throws IOException {
    assertSame(
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
    assertRefused(
        copy -> copy.put("qwen35.block_count", GgufValue.of(3)),
        "tensor blk.3.attn_norm.weight",
        "unknown");
  }

  @Test
  void vectorsMayHaveTwoDimensions() throws IOException {
    assertSame(
        copy -> {
          try (GgufFile file = GgufFile.open(original)) {
            for (String name : List.of("blk.0.ssm_a", "blk.1.ssm_dt.bias")) {
              float[] values = file.tensors().get(name).toStored().toFloats();
              copy.add(name, GgmlType.F32, new Shape(4, 1), floats(values));
            }
            return copy;
          }
        });
  }

  @Test
  void linearLayersMayBeListed() throws IOException {
    GgufValue listed = GgufValue.of(GgufArray.ofBooleans(true, true, true, false));
    assertSame(
        copy ->
            copy.put("qwen35.attention.recurrent_layers", listed)
                .put("qwen35.full_attention_interval", GgufValue.of(2)));
    assertRefused(
        copy ->
            copy.put("qwen35.attention.recurrent_layers", GgufValue.of(GgufArray.ofBooleans(true))),
        "qwen35.attention.recurrent_layers",
        "expected 4, one for each block, found 1");
    assertRefused(
        copy -> copy.put("qwen35.attention.recurrent_layers", ints(1, 1, 1, 0)),
        "qwen35.attention.recurrent_layers",
        "expected an array of BOOL, found one of INT32");
  }

  @Test
  void anUntiedHeadIsUsed() throws IOException {
    float[] zeros = new float[320 * 64];
    Path file =
        changed(copy -> copy.add("output.weight", GgmlType.F32, new Shape(320, 64), floats(zeros)));
    assertArrayEquals(new float[320], logits(file));
  }

  @Test
  void samplingIsRecommendedAsTheFileSays() throws IOException {
    Path file =
        changed(
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
    assertEquals(List.of(317, 319), GgufCheckpoint.open(original).generationConfig().endTokens());
    Path file =
        changed(
            copy ->
                copy.put("tokenizer.ggml.eos_token_id", GgufValue.of(319))
                    .put("tokenizer.ggml.eom_token_id", GgufValue.of(7)));
    assertEquals(List.of(319, 7, 317), GgufCheckpoint.open(file).generationConfig().endTokens());
  }

  @Test
  void aWordThatReadsLikeAnEndIsNone() throws IOException {
    Path file =
        changed(
            copy -> {
              try (GgufFile opened = GgufFile.open(original)) {
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
  void anotherArchitecture() throws IOException {
    assertRefused(
        copy -> copy.put("general.architecture", GgufValue.of("llama")),
        "general.architecture",
        "expected qwen35, qwen35moe, qwen3next, found llama");
  }

  @Test
  void missingKeysAndKeysOfAnotherType() throws IOException {
    assertRefused(
        copy -> copy.remove("qwen35.ssm.state_size"),
        "qwen35.ssm.state_size",
        "missing, expected an integer");
    assertRefused(
        copy -> copy.put("qwen35.embedding_length", GgufValue.of("64")),
        "qwen35.embedding_length",
        "expected an integer, found Text[value=64]");
    assertRefused(
        copy -> copy.put("qwen35.rope.freq_base", GgufValue.of(Double.NaN)),
        "qwen35.rope.freq_base",
        "expected a finite floating-point number");
    assertRefused(
        copy -> copy.put("tokenizer.ggml.tokens", ints(1)),
        "tokenizer.ggml.tokens",
        "expected an array of STRING, found one of INT32");
  }

  @Test
  void numbersOutOfRange() throws IOException {
    assertRefused(
        copy -> copy.put("qwen35.block_count", GgufValue.of(1 << 30)),
        "qwen35.block_count",
        "found 1073741824");
    assertRefused(
        copy -> copy.put("qwen35.rope.dimension_count", GgufValue.of(34)),
        "qwen35.rope.dimension_count",
        "expected 2 to 32, found 34");
    assertRefused(
        copy -> copy.put("qwen35.rope.dimension_sections", ints(1, 1, 1, 1)),
        "qwen35.rope.dimension_sections",
        "expected three lengths that add up to 4, found [1, 1, 1, 1]");
    assertRefused(
        copy -> copy.put("qwen35.rope.scaling.type", GgufValue.of("yarn")),
        "qwen35.rope.scaling.type",
        "expected none, found yarn");
    assertRefused(
        copy -> copy.put("qwen35.ssm.group_count", GgufValue.of(3)),
        "metadata",
        "valueHeads: expected a multiple of keyHeads 3, found 4");
  }

  @Test
  void tensorsThatDoNotFitTheMetadata() throws IOException {
    assertRefused(
        copy -> copy.remove("blk.1.ffn_up.weight"),
        "tensor blk.1.ffn_up.weight",
        "missing, expected shape [96, 64]");
    assertRefused(
        copy -> copy.put("qwen35.feed_forward_length", GgufValue.of(128)),
        "tensor blk.0.ffn_gate.weight",
        "expected shape [128, 64], found [96, 64]");
    assertRefused(
        copy -> copy.add("blk.0.ffn_norm_extra.weight", GgmlType.F32, new Shape(1), floats(1)),
        "tensor blk.0.ffn_norm_extra.weight",
        "unknown");
    assertRefused(
        copy ->
            copy.add(
                "output_norm.weight",
                GgmlType.I16,
                new Shape(64),
                MemorySegment.ofArray(new byte[128])),
        "tensor output_norm.weight",
        "the type I16 is not supported");
    assertRefused(
        copy -> copy.add("blk.0.ssm_a", GgmlType.F32, new Shape(4), floats(-1, -1, 0.5f, -1)),
        "tensor blk.0.ssm_a",
        "expected -exp(A_log), at most 0, found 0.5");
  }

  @Test
  void tokenizersThatCannotBeUsed() throws IOException {
    assertRefused(
        copy -> copy.put("tokenizer.ggml.model", GgufValue.of("llama")),
        "tokenizer.ggml.model",
        "expected gpt2, found llama");
    assertRefused(
        copy -> copy.put("tokenizer.ggml.pre", GgufValue.of("default")),
        "tokenizer.ggml.pre",
        "expected qwen2 or qwen35, found default");
    assertRefused(
        copy -> copy.put("tokenizer.ggml.add_bos_token", GgufValue.of(true)),
        "tokenizer.ggml.add_bos_token",
        "expected false, found true");
    assertRefused(
        copy -> copy.put("tokenizer.ggml.add_eos_token", GgufValue.of(1)),
        "tokenizer.ggml.add_eos_token",
        "expected true or false, found Whole");
    assertRefused(
        copy -> copy.put("tokenizer.ggml.token_type", ints(1, 2)),
        "tokenizer.ggml.token_type",
        "expected 320, one for each token, found 2");
    int[] types = new int[320];
    assertRefused(
        copy -> copy.put("tokenizer.ggml.token_type", ints(types)),
        "tokenizer.ggml.token_type",
        "token 0: expected 1 to 6, found 0");
    assertRefused(
        copy ->
            copy.put("tokenizer.ggml.merges", GgufValue.of(GgufArray.ofStrings(List.of("a  b")))),
        "tokenizer.ggml.merges",
        "merge 0: expected two tokens and a space between them");
    assertRefused(
        copy ->
            copy.put("tokenizer.ggml.merges", GgufValue.of(GgufArray.ofStrings(List.of("a zz")))),
        "tokenizer",
        "merges[0]");
  }

  @Test
  void aDamagedByteIsRefusedOrHarmless() throws IOException {
    Path file = Files.copy(original, folder.resolve("damaged.gguf"));
    long size = Files.size(file);
    int directory = directoryBytes();
    SplittableRandom random = new SplittableRandom(11);
    int refused = 0;
    try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
      for (int i = 0; i < 2000; i++) {
        long at = i < 1900 ? random.nextInt(directory) : random.nextLong(directory, size);
        bytes.seek(at);
        int before = bytes.read();
        bytes.seek(at);
        bytes.write(before ^ 1 << random.nextInt(8));
        try (LanguageModel model = LanguageModel.open(file)) {
          model.tokenizer();
        } catch (CheckpointException refusal) {
          assertEquals(file, refusal.file(), "byte " + at);
          refused++;
        }
        bytes.seek(at);
        bytes.write(before);
      }
    }
    assertTrue(refused > 1000, refused + " of 2000 refused");
    assertArrayEquals(logits(original), logits(file));
  }

  @Test
  void aFileCutOffAnywhereIsRefused() throws IOException {
    byte[] whole = Files.readAllBytes(original);
    SplittableRandom random = new SplittableRandom(12);
    Path file = folder.resolve("short.gguf");
    for (int i = 0; i < 200; i++) {
      int length = i < 100 ? random.nextInt(directoryBytes()) : random.nextInt(whole.length - 32);
      Files.write(file, Arrays.copyOf(whole, length));
      assertThrows(CheckpointException.class, () -> LanguageModel.open(file).close());
    }
  }

  private static int directoryBytes() throws IOException {
    long data = 0;
    try (GgufFile file = GgufFile.open(original)) {
      for (var tensor : file.tensors().values()) {
        data += Math.ceilDiv(tensor.data().byteSize(), 32L) * 32;
      }
    }
    return Math.toIntExact(Files.size(original) - data);
  }
}
