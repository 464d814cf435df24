package dev.gdn.model.checkpoint;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gdn.core.tensor.Shape;
import dev.gdn.model.LanguageModel;
import dev.gdn.model.config.MixtureOfExperts;
import dev.gdn.model.error.CheckpointException;
import dev.gdn.model.error.NonFiniteLogitsException;
import dev.gdn.model.generation.GenerationOptions;
import dev.gdn.model.gguf.FileType;
import dev.gdn.model.gguf.GgmlType;
import dev.gdn.model.gguf.GgufFile;
import dev.gdn.model.gguf.GgufValue;
import dev.gdn.model.synth.TinyCheckpoint;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Mixtures of experts in GGUF files: the variants that exist, and what cannot be used. */
class GgufMixtureTest {
  private static final String ROUTER = "blk.2.ffn_gate_inp.weight";

  @TempDir static Path folder;

  private static Path original;

  @BeforeAll
  static void write() throws IOException {
    original = TinyCheckpoint.write(folder, TinyCheckpoint.MIXTURE, FileType.F32);
  }

  private static Path changed(UnaryOperator<GgufCopy> change) throws IOException {
    try (GgufCopy copy = new GgufCopy(original)) {
      return change.apply(copy).write(folder.resolve("changed.gguf"));
    }
  }

  private static float[] floats(String tensor) {
    try (GgufFile file = GgufFile.open(original)) {
      return file.tensors().get(tensor).toStored().toFloats();
    }
  }

  private static float[] logits(Path file) {
    try (LanguageModel model = LanguageModel.open(file)) {
      return model.newSession().prefill(5, 200, 7, 7, 31).clone();
    }
  }

  private static void assertRefused(UnaryOperator<GgufCopy> change, String subject, String problem)
      throws IOException {
    Path file = changed(change);
    CheckpointException refusal =
        assertThrows(CheckpointException.class, () -> LanguageModel.open(file).close());
    assertEquals(file, refusal.file());
    assertEquals(subject, refusal.subject());
    assertTrue(refusal.getMessage().contains(problem), refusal.getMessage());
  }

  @Test
  void gateAndUpMayBeOneTensor() throws IOException {
    float[] gate = floats("blk.1.ffn_gate_exps.weight");
    float[] up = floats("blk.1.ffn_up_exps.weight");
    int each = 32 * 64;
    float[] both = new float[2 * gate.length];
    for (int e = 0; e < 6; e++) {
      System.arraycopy(gate, e * each, both, 2 * e * each, each);
      System.arraycopy(up, e * each, both, (2 * e + 1) * each, each);
    }
    Path file =
        changed(
            copy ->
                copy.remove("blk.1.ffn_gate_exps.weight")
                    .remove("blk.1.ffn_up_exps.weight")
                    .add(
                        "blk.1.ffn_gate_up_exps.weight",
                        GgmlType.F32,
                        new Shape(6, 64, 64),
                        MemorySegment.ofArray(both)));
    assertArrayEquals(logits(original), logits(file));
  }

  @Test
  void expertsMayBeStoredOneByOne() throws IOException {
    float[] down = floats("blk.1.ffn_down_exps.weight");
    float[] up = floats("blk.1.ffn_up_exps.weight");
    float[] gate = floats("blk.1.ffn_gate_exps.weight");
    assertArrayEquals(
        logits(original),
        logits(
            changed(
                copy -> {
                  addOneByOne(copy, "down", new Shape(64, 32), down);
                  addOneByOne(copy, "up", new Shape(32, 64), up);
                  return addOneByOne(copy, "gate", new Shape(32, 64), gate);
                })));
  }

  private static GgufCopy addOneByOne(GgufCopy copy, String name, Shape shape, float[] stack) {
    int each = 32 * 64;
    copy.remove("blk.1.ffn_" + name + "_exps.weight");
    for (int e = 0; e < 6; e++) {
      float[] values = Arrays.copyOfRange(stack, e * each, (e + 1) * each);
      copy.add(
          "blk.1.ffn_%s.%d.weight".formatted(name, e),
          GgmlType.F32,
          shape,
          MemorySegment.ofArray(values));
    }
    return copy;
  }

  @Test
  void theSharedGateMayBeAMatrixOfOneRow() throws IOException {
    String name = "blk.0.ffn_gate_inp_shexp.weight";
    MemorySegment gate = MemorySegment.ofArray(floats(name));
    Path file = changed(copy -> copy.add(name, GgmlType.F32, new Shape(1, 64), gate));
    assertArrayEquals(logits(original), logits(file));
  }

  @Test
  void weightsAreNormalisedUnlessTheFileSaysOtherwise() throws IOException {
    String key = "qwen35moe.expert_weights_norm";
    assertArrayEquals(logits(original), logits(changed(copy -> copy.remove(key))));
    Path file = changed(copy -> copy.put(key, GgufValue.of(false)));
    MixtureOfExperts mixture =
        assertInstanceOf(
            MixtureOfExperts.class, GgufCheckpoint.open(file).config().feedForwards().getFirst());
    assertFalse(mixture.normalised());
    assertFalse(Arrays.equals(logits(original), logits(file)));
    float[] asStored = logits(file);
    String other = "qwen35moe.norm_top_k_prob";
    assertArrayEquals(
        asStored, logits(changed(copy -> copy.remove(key).put(other, GgufValue.of(false)))));
    assertRefused(
        copy -> copy.put(key, GgufValue.of(1)), key, "expected true or false, found UINT32 1");
  }

  @Test
  void countsThatDisagree() throws IOException {
    assertRefused(
        copy -> copy.put("qwen35moe.expert_used_count", GgufValue.of(7)),
        "qwen35moe.expert_used_count",
        "expected 1 to 6, found 7");
    assertRefused(
        copy -> copy.remove("qwen35moe.expert_count"),
        "qwen35moe.expert_count",
        "missing, expected an integer");
    assertRefused(
        copy -> copy.put("qwen35moe.expert_count", GgufValue.of(8)),
        "tensor blk.0.ffn_gate_inp.weight",
        "expected shape [8, 64], found [6, 64]");
    assertRefused(
        copy -> copy.put("qwen35moe.expert_feed_forward_length", GgufValue.of(16)),
        "tensor blk.0.ffn_down_exps.weight",
        "expected shape [6, 64, 16], found [6, 64, 32]");
    assertRefused(
        copy -> copy.put("qwen35moe.expert_shared_feed_forward_length", GgufValue.of(32)),
        "tensor blk.0.ffn_gate_shexp.weight",
        "expected shape [32, 64], found [64, 64]");
  }

  @Test
  void tensorsThatAreMissing() throws IOException {
    for (String name : new String[] {"gate_exps", "up_exps", "down_exps", "gate_inp"}) {
      String tensor = "blk.3.ffn_" + name + ".weight";
      assertRefused(copy -> copy.remove(tensor), "tensor " + tensor, "missing, expected shape [6,");
    }
  }

  @Test
  void aRouterThatHasNoNumbers() throws IOException {
    for (float bad : new float[] {Float.NaN, Float.NEGATIVE_INFINITY}) {
      float[] values = floats(ROUTER);
      values[5 * 64 + 3] = bad;
      MemorySegment data = MemorySegment.ofArray(values);
      assertRefused(
          copy -> copy.add(ROUTER, GgmlType.F32, new Shape(6, 64), data),
          "tensor " + ROUTER,
          "expected finite numbers, found %s for expert 5".formatted(bad));
    }
  }

  /** Seen when it is computed with: reading every expert at load would read the whole file. */
  @Test
  void anExpertThatHasNoNumbers() throws IOException {
    String name = "blk.1.ffn_down_exps.weight";
    float[] values = floats(name);
    int expert = 64 * 32;
    for (int e = 0; e < 6; e++) {
      values[e * expert + 5] = Float.NaN;
    }
    MemorySegment data = MemorySegment.ofArray(values);
    Path file = changed(copy -> copy.add(name, GgmlType.F32, new Shape(6, 64, 32), data));
    try (LanguageModel model = LanguageModel.open(file)) {
      Executable generate = () -> model.generate("abc", GenerationOptions.defaults(), text -> {});
      String message = assertThrows(NonFiniteLogitsException.class, generate).getMessage();
      assertTrue(message.contains("the checkpoint's weights"), message);
    }
  }
}
