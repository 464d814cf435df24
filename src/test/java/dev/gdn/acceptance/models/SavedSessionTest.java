package dev.gdn.acceptance.models;

import static dev.gdn.acceptance.models.Checkpoints.tokens;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gdn.core.kernel.KeyValueType;
import dev.gdn.model.LanguageModel;
import dev.gdn.model.ModelOptions;
import dev.gdn.model.Session;
import dev.gdn.model.checkpoint.Quantization;
import dev.gdn.model.error.SessionFileException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A session goes on from a file, and from no file that is not its own. */
class SavedSessionTest {
  private static final Path FOLDER = Path.of("resources/fixtures/models/qwen3_5");

  @TempDir private Path folder;

  /** What the second process runs: loads a session, takes two tokens, prints the logits. */
  static final class Continuation {
    private Continuation() {}

    public static void main(String[] args) {
      ModelOptions options =
          ModelOptions.defaults().withKeyValueType(KeyValueType.valueOf(args[2]));
      try (LanguageModel model = LanguageModel.open(Path.of(args[0]), options)) {
        Session session = model.newSession();
        session.load(Path.of(args[1]));
        System.out.println(Arrays.toString(session.logits()));
        session.decode(7);
        System.out.println(Arrays.toString(session.decode(8)));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("dev.gdn.acceptance.models.Checkpoints#all")
  void anotherProcessGoesOn(Path checkpoint) throws IOException, InterruptedException {
    for (KeyValueType type : KeyValueType.values()) {
      ModelOptions options = ModelOptions.defaults().withKeyValueType(type);
      try (LanguageModel model = LanguageModel.open(checkpoint, options)) {
        Session session = model.newSession();
        session.prefill(tokens(300, 1));
        Path file = folder.resolve(type + ".gdnstate");
        session.save(file);
        String there = Arrays.toString(session.logits());
        session.decode(7);
        String next = Arrays.toString(session.decode(8));
        List<String> lines = continued(checkpoint, file, type);
        assertEquals(List.of(there, next), lines);
      }
    }
  }

  private static List<String> continued(Path checkpoint, Path file, KeyValueType type)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-modules",
                "jdk.incubator.vector",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                Continuation.class.getName(),
                checkpoint.toString(),
                file.toString(),
                type.name())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor());
    return out.lines().toList();
  }

  @Test
  void anEmptySessionAndOneWithinAPromptAreSavedToo() throws IOException {
    try (LanguageModel model = LanguageModel.open(FOLDER)) {
      Path file = folder.resolve("session");
      model.newSession().save(file);
      Session session = model.newSession();
      session.prefill(1, 2, 3);
      session.load(file);
      assertEquals(0, session.position());
      assertArrayEquals(model.newSession().prefill(tokens(70, 2)), session.prefill(tokens(70, 2)));
      session.save(file);
      Session other = model.newSession();
      other.load(file);
      assertArrayEquals(tokens(70, 2), other.tokens());
      assertArrayEquals(session.prefill(4, 5).clone(), other.prefill(4, 5));
      try (Stream<Path> files = Files.list(folder)) {
        assertEquals(List.of(file), files.toList(), "nothing else is left behind");
      }
    }
  }

  @Test
  void aDamagedFileIsRefusedAndTheSessionStaysAsItIs() throws IOException {
    try (LanguageModel model = LanguageModel.open(FOLDER)) {
      Session session = model.newSession();
      session.prefill(tokens(20, 3));
      Path file = folder.resolve("session");
      session.save(file);
      byte[] good = Files.readAllBytes(file);
      float[] expected = session.fork().decode(1).clone();
      Random random = new Random(4);
      for (int i = 0; i < 300; i++) {
        byte[] bad = good.clone();
        int at = i < 60 ? i : random.nextInt(bad.length);
        bad[at] ^= (byte) (1 << random.nextInt(8));
        Files.write(file, bad);
        assertRefused(session, file, "");
      }
      for (int length : new int[] {0, 7, 55, 56, good.length - 1}) {
        Files.write(file, Arrays.copyOf(good, length));
        assertRefused(session, file, "found");
      }
      Files.write(file, Arrays.copyOf(good, good.length + 1));
      assertRefused(session, file, "damaged: expected " + good.length + " bytes");
      good[good.length / 2] ^= 1;
      Files.write(file, good);
      assertRefused(session, file, "checksum");
      assertArrayEquals(expected, session.decode(1));
    }
  }

  @Test
  void aFileOfAnotherKindIsRefusedWithTheReason() throws IOException {
    Path file = folder.resolve("session");
    try (LanguageModel model = LanguageModel.open(FOLDER)) {
      Session session = model.newSession();
      session.prefill(tokens(20, 5));
      session.save(file);
      assertRefused(session, folder.resolve("none"), "found nothing");
      assertRefused(session, folder, "found a folder");
      Path text = Files.writeString(folder.resolve("text"), "some text ".repeat(20));
      assertRefused(session, text, "another kind of file");
    }
    Path moe = Path.of("resources/fixtures/models/qwen3_5_moe");
    try (LanguageModel model = LanguageModel.open(moe)) {
      assertRefused(model.newSession(), file, "another model");
    }
    ModelOptions half = ModelOptions.defaults().withKeyValueType(KeyValueType.F16);
    try (LanguageModel model = LanguageModel.open(FOLDER, half)) {
      assertRefused(model.newSession(), file, "expected a KV cache of F16, found F32");
    }
    try (LanguageModel model =
        LanguageModel.open(FOLDER, ModelOptions.defaults().withContext(19))) {
      assertRefused(model.newSession(), file, "at most 19 tokens, which is the context, found 20");
    }
  }

  @Test
  void otherWeightsOfTheSameSizesAreAnotherModel() throws IOException {
    Path file = folder.resolve("session");
    try (LanguageModel model = LanguageModel.open(FOLDER)) {
      Session session = model.newSession();
      session.prefill(1, 2);
      session.save(file);
    }
    Path same = copyOfModel("same");
    try (LanguageModel model = LanguageModel.open(same)) {
      model.newSession().load(file);
    }
    Path other = copyOfModel("other");
    Path weights = other.resolve("model.safetensors");
    byte[] bytes = Files.readAllBytes(weights);
    // The lowest bits of all numbers' fractions, as further training would change them.
    for (int i = bytes.length / 8 * 8 - 8; i > 20_000; i -= 4) {
      bytes[i] ^= 1;
    }
    Files.write(weights, bytes);
    try (LanguageModel model = LanguageModel.open(other)) {
      assertRefused(model.newSession(), file, "another model");
    }
  }

  @Test
  void aModelQuantisedWhileLoadingIsAnotherOneToo() throws IOException {
    Path file = folder.resolve("session");
    ModelOptions options = ModelOptions.defaults().withQuantization(Quantization.Q8_0);
    for (Path checkpoint : List.of(FOLDER, Path.of("resources/fixtures/gguf/qwen35-F32.gguf"))) {
      try (LanguageModel model = LanguageModel.open(checkpoint, options)) {
        Session session = model.newSession();
        session.prefill(1, 2);
        session.save(file);
        model.newSession().load(file);
      }
      try (LanguageModel model = LanguageModel.open(checkpoint)) {
        assertRefused(model.newSession(), file, "another model");
      }
    }
  }

  private Path copyOfModel(String name) throws IOException {
    Path copy = Files.createDirectory(folder.resolve(name));
    for (String file : List.of("config.json", "model.safetensors")) {
      Files.copy(FOLDER.resolve(file), copy.resolve(file));
    }
    return copy;
  }

  private static void assertRefused(Session session, Path file, String reason) {
    String message =
        assertThrows(SessionFileException.class, () -> session.load(file)).getMessage();
    assertTrue(message.startsWith(file + ": ") && message.contains(reason), message);
  }
}
