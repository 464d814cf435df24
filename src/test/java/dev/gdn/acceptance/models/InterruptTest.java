package dev.gdn.acceptance.models;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gdn.core.concurrent.Workers;
import dev.gdn.model.LanguageModel;
import dev.gdn.model.ModelOptions;
import dev.gdn.model.Session;
import dev.gdn.model.checkpoint.Quantization;
import dev.gdn.model.convert.HubToGguf;
import dev.gdn.model.gguf.FileType;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** A thread that was interrupted before it reads or writes is told that, and no file is blamed. */
class InterruptTest {
  private static final Path HUB = Path.of("resources/fixtures/models/qwen3_5");

  @TempDir Path folder;
  private Path saved;

  @BeforeEach
  void save() throws IOException {
    saved = folder.resolve("session");
    try (LanguageModel model = LanguageModel.open(HUB)) {
      Session session = model.newSession();
      session.prefill(1, 2, 3);
      session.save(saved);
    }
  }

  @AfterEach
  void clear() {
    Thread.interrupted();
  }

  private static <T extends Exception> void assertInterrupted(
      Class<T> type, String message, Executable call) {
    Thread.currentThread().interrupt();
    T told = assertThrows(type, call);
    assertTrue(Thread.interrupted(), "the interrupt was lost");
    assertEquals(message, told.getMessage());
  }

  @Test
  void openingSaysSo() throws IOException {
    String message = "loading %s was interrupted";
    ModelOptions quantized = ModelOptions.defaults().withQuantization(Quantization.Q8_0);
    Path weights = HUB.resolve("model.safetensors");
    assertInterrupted(
        CancellationException.class, message.formatted(weights), () -> LanguageModel.open(HUB));
    assertInterrupted(
        CancellationException.class,
        message.formatted(weights),
        () -> LanguageModel.open(HUB, quantized));
    Path gguf = Path.of("resources/fixtures/gguf/qwen35-F32.gguf");
    assertInterrupted(
        CancellationException.class, message.formatted(gguf), () -> LanguageModel.open(gguf));
  }

  @Test
  void savingAndLoadingASessionSaySo() throws IOException {
    byte[] before = Files.readAllBytes(saved);
    try (LanguageModel model = LanguageModel.open(HUB)) {
      Session session = model.newSession();
      session.prefill(4, 5);
      assertInterrupted(
          InterruptedIOException.class,
          "writing " + saved + " was interrupted",
          () -> session.save(saved));
      assertEquals(-1, Files.mismatch(saved, Files.write(folder.resolve("before"), before)));
      assertInterrupted(
          CancellationException.class,
          "loading " + saved + " was interrupted",
          () -> session.load(saved));
      assertEquals(2, session.position());
      session.load(saved);
      assertEquals(3, session.position());
    }
  }

  @Test
  void convertingSaysSo() {
    Path out = folder.resolve("out.gguf");
    assertInterrupted(
        CancellationException.class,
        "loading " + HUB.resolve("model.safetensors") + " was interrupted",
        () -> HubToGguf.convert(HUB, FileType.F16, out, Workers.shared(), (done, of) -> {}));
    // When part of it is written.
    Executable conversion =
        () ->
            HubToGguf.convert(
                HUB,
                FileType.F16,
                out,
                Workers.shared(),
                (done, of) -> Thread.currentThread().interrupt());
    String message = assertThrows(InterruptedIOException.class, conversion).getMessage();
    assertTrue(Thread.interrupted());
    assertEquals("writing " + out + " was interrupted", message);
    assertFalse(Files.exists(out));
  }
}
