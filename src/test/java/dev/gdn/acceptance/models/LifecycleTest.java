package dev.gdn.acceptance.models;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gdn.demo.DemoModel;
import dev.gdn.model.LanguageModel;
import dev.gdn.model.Session;
import dev.gdn.model.TextGenerator;
import dev.gdn.model.error.CheckpointException;
import dev.gdn.model.generation.FinishReason;
import dev.gdn.model.generation.GenerationEvent;
import dev.gdn.model.generation.GenerationOptions;
import dev.gdn.model.generation.GenerationResult;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A model that is closed, cut short, shared or interrupted where a program does not expect it. */
class LifecycleTest {
  private static final Path FOLDER = Path.of("resources/fixtures/models/qwen3_5_gva3_tied");
  private static final Path OTHER = Path.of("resources/fixtures/models/qwen3_5_moe");
  private static final GenerationOptions OPTIONS = GenerationOptions.greedy().withMaxTokens(8);

  @TempDir Path folder;

  private Path copied() throws IOException {
    Files.copy(FOLDER.resolve("config.json"), folder.resolve("config.json"));
    return Files.copy(FOLDER.resolve("model.safetensors"), folder.resolve("model.safetensors"));
  }

  private static void truncate(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(channel.size() / 3);
    }
  }

  @Test
  void closingEndsWhatAnotherThreadComputes() {
    for (int round = 0; round < 20; round++) {
      LanguageModel model = LanguageModel.open(FOLDER);
      Session session = model.newSession();
      CompletableFuture<Void> started = new CompletableFuture<>();
      CompletableFuture<Void> conversation =
          CompletableFuture.runAsync(
              () -> {
                while (true) {
                  session.clear();
                  session.prefill(1, 2, 3);
                  session.decode(4);
                  started.complete(null);
                }
              },
              // A thread of its own: one of the common pool may be interrupted by what ran before.
              command -> new Thread(command, "conversation").start());
      CompletableFuture.anyOf(started, conversation).join();
      model.close();
      Throwable end = assertThrows(CompletionException.class, conversation::join).getCause();
      assertInstanceOf(IllegalStateException.class, end);
      assertThrows(IllegalStateException.class, () -> session.decode(4));
    }
  }

  @Test
  void modelsDoNotTouchEachOther() {
    float[] expected;
    try (LanguageModel model = LanguageModel.open(FOLDER)) {
      expected = model.newSession().prefill(1, 2, 3).clone();
    }
    try (LanguageModel model = LanguageModel.open(FOLDER)) {
      Session session = model.newSession();
      try (LanguageModel other = LanguageModel.open(OTHER);
          LanguageModel same = LanguageModel.open(FOLDER)) {
        other.newSession().prefill(4, 5, 6);
        assertArrayEquals(expected, same.newSession().prefill(1, 2, 3));
      }
      assertArrayEquals(expected, session.prefill(1, 2, 3));
    }
  }

  @Test
  void aFileThatIsCutShortIsAnExceptionThatNamesIt() throws IOException {
    Path weights = copied();
    try (LanguageModel model = LanguageModel.open(folder)) {
      Session session = model.newSession();
      for (int i = 0; i < 2_000; i++) {
        if (session.remaining() == 0) {
          session.clear();
        }
        session.decode(i % 200);
      }
      truncate(weights);
      session.clear();
      CheckpointException fault =
          assertThrows(
              CheckpointException.class,
              () -> {
                for (int id = 0; id < 200; id++) {
                  session.decode(id);
                }
              });
      assertEquals(folder, fault.file());
      assertTrue(fault.getMessage().contains("cut short"), fault.getMessage());
      assertThrows(IllegalStateException.class, () -> session.decode(1));
    }
    // The pool of threads has outlived it.
    try (LanguageModel model = LanguageModel.open(FOLDER)) {
      model.newSession().prefill(1, 2, 3);
    }
  }

  @Test
  void aFileThatIsReplacedByAMoveIsStillTheOldOne() throws IOException {
    Path weights = copied();
    try (LanguageModel model = LanguageModel.open(folder)) {
      float[] expected = model.newSession().prefill(1, 2, 3).clone();
      Path other = Files.write(folder.resolve("other"), new byte[100]);
      Files.move(other, weights, StandardCopyOption.REPLACE_EXISTING);
      assertArrayEquals(expected, model.newSession().prefill(1, 2, 3));
    }
  }

  @Test
  void aListenerThatThrowsEndsTheCallAndTheSessionGoesOn() {
    try (LanguageModel model = LanguageModel.open(DemoModel.extract())) {
      int[] prompt = model.tokenizer().encode("Once upon a time");
      Session session = model.newSession();
      TextGenerator generator = new TextGenerator(model, session);
      RuntimeException thrown = new RuntimeException("of the listener");
      assertSame(
          thrown,
          assertThrows(
              RuntimeException.class,
              () ->
                  generator.generate(
                      prompt,
                      OPTIONS,
                      event -> {
                        throw thrown;
                      })));
      assertEquals(prompt.length, session.position());
      GenerationResult result = generator.generate(prompt, OPTIONS, event -> {});
      assertEquals(OPTIONS.maxTokens(), result.tokens().size());
    }
  }

  @Test
  void anInterruptEndsGenerationAndTheSessionGoesOn() {
    try (LanguageModel model = LanguageModel.open(DemoModel.extract())) {
      int[] prompt = model.tokenizer().encode("Once upon a time");
      TextGenerator generator = new TextGenerator(model, model.newSession());
      GenerationResult result =
          generator.generate(
              prompt,
              OPTIONS,
              event -> {
                if (event instanceof GenerationEvent.Token) {
                  Thread.currentThread().interrupt();
                }
              });
      assertEquals(FinishReason.CANCELLED, result.finishReason());
      assertEquals(1, result.tokens().size());
      assertEquals(
          FinishReason.MAX_TOKENS, generator.generate(prompt, OPTIONS, event -> {}).finishReason());
    }
  }

  @Test
  void noFileIsLeftBehind() throws IOException {
    Path weights = copied();
    try (LanguageModel model = LanguageModel.open(folder)) {
      model.newSession().prefill(1, 2, 3);
    }
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(List.of(folder.resolve("config.json"), weights), files.sorted().toList());
    }
  }
}
