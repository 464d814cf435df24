package dev.gdn.fuzz;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.gdn.core.concurrent.Workers;
import dev.gdn.model.LanguageModel;
import dev.gdn.model.ModelOptions;
import dev.gdn.model.Session;
import dev.gdn.model.config.Architecture;
import dev.gdn.model.config.AttentionConfig;
import dev.gdn.model.config.DenseFeedForward;
import dev.gdn.model.config.LayerType;
import dev.gdn.model.config.LinearAttentionConfig;
import dev.gdn.model.config.ModelConfig;
import dev.gdn.model.config.RotaryConfig;
import dev.gdn.model.error.SessionFileException;
import dev.gdn.model.gguf.FileType;
import dev.gdn.model.synth.SyntheticCheckpoint;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Saved sessions, as they are and with the checksum that belongs to them, which no search would
 * find. What is loaded is saved as it was.
 */
class SessionFuzzTest {
  private static final InputFile FILE = new InputFile("session.gdnstate");
  private static final InputFile AGAIN = new InputFile("again.gdnstate");

  /** Sizes that leave little in a file but what has a structure. */
  private static final ModelConfig CONFIG =
      new ModelConfig(
          Architecture.QWEN3_5,
          280,
          32,
          List.of(LayerType.LINEAR_ATTENTION, LayerType.FULL_ATTENTION),
          1e-6,
          true,
          64,
          new AttentionConfig(1, 1, 8, new RotaryConfig(8, 1e6, List.of(2, 1, 1))),
          new LinearAttentionConfig(1, 1, 4, 4, 4),
          Collections.nCopies(2, new DenseFeedForward(32)));

  private static final LanguageModel MODEL = model();
  private static final Session SESSION = MODEL.newSession();

  private static LanguageModel model() {
    InputFile file = new InputFile("model.gguf");
    try {
      SyntheticCheckpoint.write(
          "tiny", CONFIG, FileType.F32, 1, file.path(), Workers.of(1), (done, total) -> {});
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    return LanguageModel.open(
        file.path(), ModelOptions.defaults().withKernels("scalar").withWorkers(Workers.of(1)));
  }

  @AfterAll
  static void close() {
    MODEL.close();
  }

  static Stream<byte[]> samples() throws IOException {
    Session session = MODEL.newSession();
    session.save(FILE.path());
    byte[] empty = Samples.bytes(FILE.path());
    session.prefill(1, 2, 3);
    session.save(FILE.path());
    return Stream.of(empty, Samples.bytes(FILE.path()));
  }

  @MethodSource("samples")
  @FuzzTest
  void loadsOrRefuses(byte[] content) {
    Path file = FILE.write(content);
    Bounds.check(content.length, SessionFileException.class, () -> SESSION.load(file));
    if (content.length >= Integer.BYTES) {
      seal(content);
      FILE.write(content);
      Bounds.check(content.length, SessionFileException.class, () -> use(file, content));
    }
  }

  private static void seal(byte[] content) {
    int end = content.length - Integer.BYTES;
    CRC32C checksum = new CRC32C();
    checksum.update(content, 0, end);
    ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN).putInt(end, (int) checksum.getValue());
  }

  private static void use(Path file, byte[] content) {
    SESSION.load(file);
    try {
      SESSION.save(AGAIN.path());
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    assertArrayEquals(content, Samples.bytes(AGAIN.path()));
    if (SESSION.remaining() > 0) {
      SESSION.decode(1);
    }
  }
}
