package dev.gdn.acceptance.models;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.gdn.model.LanguageModel;
import dev.gdn.model.ModelOptions;
import dev.gdn.model.observer.ForwardObserver;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** Tiny checkpoints with a vocabulary of 256, and their logits. */
final class Checkpoints {
  /**
   * How far logits may differ where the borders of blocks and chunks do, as a part of the largest
   * one: a single sum in another order gives 2^-24, and the layers that follow carry it on.
   */
  static final double TOLERANCE = 1e-4;

  private static final Path MODELS = Path.of("resources/fixtures/models");

  private Checkpoints() {}

  /** Dense and mixed, hub folders and GGUF, tied and not. */
  static Stream<Path> all() {
    return Stream.concat(
        List.of(
                "qwen3_5_gva3_tied",
                "qwen3_5_moe",
                "qwen3_next",
                "olmo_hybrid",
                "kimi_linear",
                "qwen4_exp")
            .stream()
            .map(MODELS::resolve),
        Stream.of(Path.of("resources/fixtures/gguf/qwen35-F32.gguf")));
  }

  static LanguageModel open(Path checkpoint) {
    return LanguageModel.open(checkpoint);
  }

  static LanguageModel openWithoutSnapshots(Path checkpoint) {
    return LanguageModel.open(checkpoint, ModelOptions.defaults().withSnapshotBytes(0));
  }

  static int[] tokens(int count, long seed) {
    return new Random(seed).ints(count, 0, 256).toArray();
  }

  /** The logits after every token of a new session that prefills them at once. */
  static float[][] cold(LanguageModel model, int[] ids) {
    float[][] all = new float[ids.length][];
    model
        .newSession()
        .prefill(
            ids,
            new ForwardObserver() {
              @Override
              public boolean wantsLogits() {
                return true;
              }

              @Override
              public void logits(int position, float[] values, int offset, int count) {
                all[position] = Arrays.copyOfRange(values, offset, offset + count);
              }
            });
    return all;
  }

  static void assertNear(float[] expected, float[] found, String what) {
    assertEquals(expected.length, found.length, what);
    double largest = 0;
    for (float logit : expected) {
      largest = Math.max(largest, Math.abs(logit));
    }
    for (int i = 0; i < expected.length; i++) {
      assertEquals(expected[i], found[i], TOLERANCE * largest, what + ", logit " + i);
    }
  }
}
