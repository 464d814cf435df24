package dev.gdn.acceptance.models;

import static dev.gdn.acceptance.models.Checkpoints.tokens;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gdn.core.kernel.KeyValueType;
import dev.gdn.model.LanguageModel;
import dev.gdn.model.ModelOptions;
import dev.gdn.model.Reading;
import dev.gdn.model.Session;
import dev.gdn.model.checkpoint.Quantization;
import dev.gdn.model.error.SessionFileException;
import dev.gdn.model.observer.ForwardObserver;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A session goes on from a file, and from no file that is not its own. */
class SavedSessionTest {
  private static final Path FOLDER = Path.of("resources/fixtures/models/qwen3_5");

  /** Bytes before the tokens. */
  private static final int HEADER = 8 + 4 + 32 + 3 * 4;

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

  /** Sets the float at a place, and the checksum right. */
  private static void forge(Path file, byte[] bytes, int at, float number) throws IOException {
    ByteBuffer forged = ByteBuffer.wrap(bytes.clone()).order(ByteOrder.LITTLE_ENDIAN);
    forged.putFloat(at, number);
    CRC32C checksum = new CRC32C();
    checksum.update(forged.array(), 0, bytes.length - Integer.BYTES);
    forged.putInt(bytes.length - Integer.BYTES, (int) checksum.getValue());
    Files.write(file, forged.array());
  }

  @Test
  void numbersThatAreNotFiniteAreRefusedWhereverTheyStand() throws IOException {
    Path file = folder.resolve("session");
    Random random = new Random(6);
    for (KeyValueType type : KeyValueType.values()) {
      ModelOptions options = ModelOptions.defaults().withKeyValueType(type);
      try (LanguageModel model = LanguageModel.open(FOLDER, options)) {
        Session session = model.newSession();
        session.prefill(tokens(30, 7));
        session.save(file);
        byte[] good = Files.readAllBytes(file);
        float[] expected = session.fork().decode(1).clone();
        int logits = HEADER + 30 * Integer.BYTES;
        int layers = logits + model.config().vocabularySize() * Float.BYTES;
        int numbers = (good.length - Integer.BYTES - layers) / Float.BYTES;
        for (float number :
            new float[] {Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY}) {
          forge(file, good, logits, number);
          assertRefused(session, file, "logits: expected finite numbers");
          forge(file, good, layers, number);
          assertRefused(session, file, "layer 0: expected finite numbers");
          forge(file, good, good.length - 2 * Integer.BYTES, number);
          int last = model.config().layers().size() - 1;
          assertRefused(session, file, "layer " + last + ": expected finite numbers");
          for (int i = 0; i < 20; i++) {
            forge(file, good, layers + random.nextInt(numbers) * Float.BYTES, number);
            assertRefused(session, file, ": expected finite numbers");
          }
        }
        assertArrayEquals(expected, session.decode(1));
      }
    }
  }

  /** They are those of the sequence, and rows of a table are looked up by them. */
  @Test
  void theLastTokensOfNgramsAreNotTakenFromTheFile() throws IOException {
    Path checkpoint = Path.of("resources/fixtures/models/qwen4_exp");
    Path file = folder.resolve("session");
    try (LanguageModel model = LanguageModel.open(checkpoint)) {
      Session session = model.newSession();
      session.prefill(tokens(30, 7));
      session.save(file);
      byte[] good = Files.readAllBytes(file);
      float[] expected = session.decode(1).clone();
      int last = tokens(30, 7)[29];
      int places = 0;
      for (int at = HEADER + 30 * Integer.BYTES; at < good.length - 4; at += Integer.BYTES) {
        // No other number of the file has the bits of a small integer.
        if (ByteBuffer.wrap(good).order(ByteOrder.LITTLE_ENDIAN).getInt(at) == last) {
          forge(file, good, at, -1.5f); // a negative integer
          session.load(file);
          assertArrayEquals(expected, session.decode(1));
          places++;
        }
      }
      assertTrue(places > 0, "layers with n-grams");
    }
  }

  /** A state that is not that of its tokens stays with those who loaded it. */
  @Test
  void whatGoesOnFromAFileIsKeptForNoOtherSession() throws IOException {
    Path file = folder.resolve("session");
    int[] prompt = tokens(1100, 8);
    int[] other = tokens(1100, 9);
    try (LanguageModel model = LanguageModel.open(FOLDER)) {
      Session session = model.newSession();
      session.prefill(Arrays.copyOf(prompt, 600));
      session.save(file);
      byte[] good = Files.readAllBytes(file);
      int layers = HEADER + 600 * Integer.BYTES + model.config().vocabularySize() * Float.BYTES;
      forge(file, good, layers, 5);
    }
    try (LanguageModel model = LanguageModel.open(FOLDER)) {
      float[] expected = model.newSession().prefill(other.clone()).clone();
      Session loaded = model.newSession();
      loaded.load(file);
      Session fork = loaded.fork();
      Session restored = model.newSession();
      restored.restore(loaded.snapshot());
      List<Session> all = List.of(loaded, fork, restored);
      assertEquals(600, loaded.read(prompt).reused());
      fork.prefill(Arrays.copyOfRange(prompt, 600, 1100));
      assertEquals(600, restored.read(prompt, new int[] {700}, ForwardObserver.NONE).reused());
      for (Session session : all) {
        assertArrayEquals(expected, session.read(other).logits(), 1e-4f);
      }
      Reading fresh = model.newSession().read(prompt);
      assertEquals(0, fresh.reused());
      try (LanguageModel clean = LanguageModel.open(FOLDER)) {
        assertArrayEquals(clean.newSession().prefill(prompt), fresh.logits());
      }
      // What is read from its tokens alone is kept again.
      loaded.load(file);
      assertEquals(1100, loaded.read(prompt).reused());
      loaded.clear();
      loaded.read(tokens(90, 10));
      assertEquals(90, model.newSession().read(tokens(90, 10)).reused());
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
