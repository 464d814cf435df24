package dev.gdn.model.checkpoint;

import static dev.gdn.model.checkpoint.GgufVariants.floats;
import static dev.gdn.model.checkpoint.GgufVariants.ints;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gdn.core.tensor.Shape;
import dev.gdn.model.LanguageModel;
import dev.gdn.model.error.CheckpointException;
import dev.gdn.model.gguf.FileType;
import dev.gdn.model.gguf.GgmlType;
import dev.gdn.model.gguf.GgufArray;
import dev.gdn.model.gguf.GgufFile;
import dev.gdn.model.gguf.GgufValue;
import dev.gdn.model.synth.TinyCheckpoint;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** GGUF checkpoints that cannot be used. */
class GgufRefusalTest {
  @TempDir static Path folder;

  private static GgufVariants variants;

  @BeforeAll
  static void write() throws IOException {
    variants = new GgufVariants(folder, TinyCheckpoint.write(folder, FileType.F32));
  }

  @Test
  void anotherArchitecture() throws IOException {
    variants.assertRefused(
        copy -> copy.put("general.architecture", GgufValue.of("llama")),
        "general.architecture",
        "expected qwen35, qwen35moe, qwen3next, found llama");
  }

  @Test
  void missingKeysAndKeysOfAnotherType() throws IOException {
    variants.assertRefused(
        copy -> copy.remove("qwen35.ssm.state_size"),
        "qwen35.ssm.state_size",
        "missing, expected an integer");
    variants.assertRefused(
        copy -> copy.put("qwen35.embedding_length", GgufValue.of("64")),
        "qwen35.embedding_length",
        "expected an integer, found STRING \"64\"");
    variants.assertRefused(
        copy -> copy.put("qwen35.rope.freq_base", GgufValue.of(Double.NaN)),
        "qwen35.rope.freq_base",
        "expected a finite floating-point number");
    variants.assertRefused(
        copy -> copy.put("tokenizer.ggml.tokens", ints(1)),
        "tokenizer.ggml.tokens",
        "expected an array of STRING, found one of INT32");
  }

  @Test
  void numbersOutOfRange() throws IOException {
    variants.assertRefused(
        copy -> copy.put("qwen35.block_count", GgufValue.of(1 << 30)),
        "qwen35.block_count",
        "found 1073741824");
    variants.assertRefused(
        copy -> copy.put("qwen35.rope.dimension_count", GgufValue.of(34)),
        "qwen35.rope.dimension_count",
        "expected 2 to 32, found 34");
    variants.assertRefused(
        copy -> copy.put("qwen35.rope.dimension_sections", ints(1, 1, 1, 1)),
        "qwen35.rope.dimension_sections",
        "expected three lengths that add up to 4, found [1, 1, 1, 1]");
    variants.assertRefused(
        copy -> copy.put("qwen35.rope.scaling.type", GgufValue.of("yarn")),
        "qwen35.rope.scaling.type",
        "expected none, found yarn");
    variants.assertRefused(
        copy -> copy.put("qwen35.ssm.group_count", GgufValue.of(3)),
        "metadata",
        "valueHeads: expected a multiple of keyHeads 3, found 4");
  }

  @Test
  void tensorsThatDoNotFitTheMetadata() throws IOException {
    variants.assertRefused(
        copy -> copy.remove("blk.1.ffn_up.weight"),
        "tensor blk.1.ffn_up.weight",
        "missing, expected shape [96, 64]");
    variants.assertRefused(
        copy -> copy.put("qwen35.feed_forward_length", GgufValue.of(128)),
        "tensor blk.0.ffn_gate.weight",
        "expected shape [128, 64], found [96, 64]");
    variants.assertRefused(
        copy -> copy.add("blk.0.ffn_norm_extra.weight", GgmlType.F32, new Shape(1), floats(1)),
        "tensor blk.0.ffn_norm_extra.weight",
        "unknown");
    for (String name : List.of("extra.weight", "blk.x.ffn_up.weight", "blk.weight", "blk.")) {
      variants.assertRefused(
          copy -> copy.add(name, GgmlType.F32, new Shape(1), floats(1)),
          "tensor " + name,
          "unknown");
    }
    variants.assertRefused(
        copy ->
            copy.add(
                "output_norm.weight",
                GgmlType.I16,
                new Shape(64),
                MemorySegment.ofArray(new byte[128])),
        "tensor output_norm.weight",
        "the type I16 is not supported");
    variants.assertRefused(
        copy -> copy.add("blk.0.ssm_a", GgmlType.F32, new Shape(4), floats(-1, -1, 0.5f, -1)),
        "tensor blk.0.ssm_a",
        "expected -exp(A_log), at most 0, found 0.5");
  }

  @Test
  void tokenizersThatCannotBeUsed() throws IOException {
    variants.assertRefused(
        copy -> copy.put("tokenizer.ggml.model", GgufValue.of("llama")),
        "tokenizer.ggml.model",
        "expected gpt2, found llama");
    variants.assertRefused(
        copy -> copy.put("tokenizer.ggml.pre", GgufValue.of("default")),
        "tokenizer.ggml.pre",
        "expected qwen2 or qwen35, found default");
    variants.assertRefused(
        copy -> copy.put("tokenizer.ggml.add_bos_token", GgufValue.of(true)),
        "tokenizer.ggml.add_bos_token",
        "expected false, found true");
    variants.assertRefused(
        copy -> copy.put("tokenizer.ggml.add_eos_token", GgufValue.of(1)),
        "tokenizer.ggml.add_eos_token",
        "expected true or false, found UINT32 1");
    variants.assertRefused(
        copy -> copy.put("tokenizer.ggml.token_type", ints(1, 2)),
        "tokenizer.ggml.token_type",
        "expected 320, one for each token, found 2");
    variants.assertRefused(
        copy -> copy.remove("tokenizer.ggml.token_type"),
        "tokenizer.ggml.token_type",
        "missing, expected an array of integers");
    int[] types = new int[320];
    variants.assertRefused(
        copy -> copy.put("tokenizer.ggml.token_type", ints(types)),
        "tokenizer.ggml.token_type",
        "token 0: expected 1 to 6, found 0");
    variants.assertRefused(
        copy ->
            copy.put("tokenizer.ggml.merges", GgufValue.of(GgufArray.ofStrings(List.of("a  b")))),
        "tokenizer.ggml.merges",
        "merge 0: expected two tokens and a space between them");
    variants.assertRefused(
        copy ->
            copy.put("tokenizer.ggml.merges", GgufValue.of(GgufArray.ofStrings(List.of("a zz")))),
        "tokenizer",
        "merges[0]");
  }

  @Test
  void aDamagedByteIsRefusedOrHarmless() throws IOException {
    Path file = Files.copy(variants.original(), folder.resolve("damaged.gguf"));
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
    assertArrayEquals(variants.logits(variants.original()), variants.logits(file));
  }

  @Test
  void aFileCutOffAnywhereIsRefused() throws IOException {
    byte[] whole = Files.readAllBytes(variants.original());
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
    try (GgufFile file = GgufFile.open(variants.original())) {
      for (var tensor : file.tensors().values()) {
        data += Math.ceilDiv(tensor.data().byteSize(), 32L) * 32;
      }
    }
    return Math.toIntExact(Files.size(variants.original()) - data);
  }
}
