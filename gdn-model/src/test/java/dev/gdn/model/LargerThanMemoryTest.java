package dev.gdn.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gdn.core.concurrent.Workers;
import dev.gdn.model.config.Architecture;
import dev.gdn.model.config.MixtureOfExperts;
import dev.gdn.model.config.ModelConfig;
import dev.gdn.model.gguf.FileType;
import dev.gdn.model.gguf.SparseCopy;
import dev.gdn.model.synth.SyntheticCheckpoint;
import dev.gdn.model.synth.TinyCheckpoint;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A file of some 50 GB, sparse, of a type that is laid out on the heap where it fits. It stays
 * mapped, and computes with the few experts that are not zero.
 */
class LargerThanMemoryTest {
  private static final long FILE_BYTES = 40L << 30;
  private static final int HIDDEN = 256;
  private static final int FEW = 3;

  /** So many that each stack of them still fits an array. */
  private static final int MANY = 3584;

  private static final int LAYERS = 8;
  private static final int[] PROMPT = {5, 200, 7, 7, 31, 0, 255, 64, 9, 11, 12};

  @TempDir Path folder;

  @Test
  void givesTheLogitsOfItsSmallTwin() throws IOException {
    Path few = folder.resolve("few.gguf");
    SyntheticCheckpoint.write(
        "few", config(), FileType.Q4_0, 1, few, Workers.of(2), (bytes, total) -> {});
    Path twin = folder.resolve("twin.gguf");
    SparseCopy.write(few, twin, 2 * FEW);
    Path many = folder.resolve("many.gguf");
    long bytes = SparseCopy.write(few, many, MANY);
    assertTrue(bytes > FILE_BYTES && bytes > 2 * Runtime.getRuntime().maxMemory(), "" + bytes);
    List<float[]> expected = logits(twin, WeightPlacement.MAPPED);
    List<float[]> actual = logits(many, WeightPlacement.AUTO);
    for (int i = 0; i < expected.size(); i++) {
      assertArrayEquals(expected.get(i), actual.get(i), 1e-4f);
    }
  }

  // After a prompt, and after one more token.
  private static List<float[]> logits(Path file, WeightPlacement placement) {
    ModelOptions options = ModelOptions.defaults().withPlacement(placement);
    try (LanguageModel model = LanguageModel.open(file, options)) {
      Session session = model.newSession();
      float[] prompt = session.prefill(PROMPT).clone();
      float[] next = session.decode(17).clone();
      return List.of(prompt, next);
    }
  }

  private static ModelConfig config() {
    ModelConfig tiny = TinyCheckpoint.MIXTURE;
    return new ModelConfig(
        Architecture.QWEN3_5_MOE,
        tiny.vocabularySize(),
        HIDDEN,
        Collections.nCopies(LAYERS, tiny.layers().getFirst()),
        tiny.normEpsilon(),
        false,
        tiny.maxPositions(),
        tiny.attention(),
        tiny.linearAttention(),
        Collections.nCopies(LAYERS, new MixtureOfExperts(FEW, 2, true, 4 * 896, 64)));
  }
}
