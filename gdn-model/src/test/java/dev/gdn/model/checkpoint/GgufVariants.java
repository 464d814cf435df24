package dev.gdn.model.checkpoint;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gdn.model.LanguageModel;
import dev.gdn.model.error.CheckpointException;
import dev.gdn.model.gguf.GgufArray;
import dev.gdn.model.gguf.GgufValue;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.function.UnaryOperator;

/**
 * Changed copies of a GGUF checkpoint.
 *
 * @param folder takes them
 * @param original as it was written
 */
record GgufVariants(Path folder, Path original) {
  Path changed(UnaryOperator<GgufCopy> change) throws IOException {
    try (GgufCopy copy = new GgufCopy(original)) {
      return change.apply(copy).write(folder.resolve("changed.gguf"));
    }
  }

  float[] logits(Path file) {
    try (LanguageModel model = LanguageModel.open(file)) {
      return model.newSession().prefill(5, 200, 7, 7, 31).clone();
    }
  }

  void assertSame(UnaryOperator<GgufCopy> change) throws IOException {
    assertArrayEquals(logits(original), logits(changed(change)));
  }

  void assertRefused(UnaryOperator<GgufCopy> change, String subject, String problem)
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

  static MemorySegment floats(float... values) {
    return MemorySegment.ofArray(values);
  }

  static GgufValue ints(int... values) {
    return GgufValue.of(GgufArray.ofInts(values));
  }
}
