package dev.gdn.acceptance.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gdn.core.concurrent.Workers;
import dev.gdn.core.tensor.TokenTensor;
import dev.gdn.demo.DemoModel;
import dev.gdn.model.LanguageModel;
import dev.gdn.model.ModelOptions;
import dev.gdn.model.Session;
import dev.gdn.model.config.LayerType;
import dev.gdn.model.config.LinearAttentionConfig;
import dev.gdn.model.config.ModelConfig;
import dev.gdn.model.error.ContextFullException;
import dev.gdn.model.observer.ForwardObserver;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One session from its first token to the end of its context: in turn a piece of prompt and an
 * answer of the model.
 */
class LongSessionTest {
  private static final int ROUND = 512;
  private static final int ANSWER = 64;

  /** Parts of the sequence that are compared. */
  private static final int PARTS = 5;

  @TempDir private Path folder;

  /** Processor time that one thread takes for the recurrent layers and for all of them. */
  private static final class LayerTimes implements ForwardObserver {
    private final ModelConfig config;
    private long start;
    private long recurrent;
    private long all;

    LayerTimes(ModelConfig config) {
      this.config = config;
    }

    @Override
    public void hidden(int layer, int position, int tokens, TokenTensor hidden) {
      long now = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
      if (layer > 0) {
        all += now - start;
        if (config.layers().get(layer - 1) == LayerType.LINEAR_ATTENTION) {
          recurrent += now - start;
        }
      }
      start = now;
    }
  }

  @Test
  void numbersStayFiniteAndRecurrentLayersTakeTheSameTime() throws IOException {
    int tokens = Load.tokens(PARTS * ROUND) / ROUND * ROUND;
    ModelOptions options = ModelOptions.defaults().withWorkers(Workers.of(1)).withSnapshotBytes(0);
    try (LanguageModel model = LanguageModel.open(demoWithContext(tokens), options)) {
      Session session = model.newSession();
      Random random = new Random(1);
      double[] perToken = new double[PARTS];
      int rounds = tokens / ROUND;
      for (int part = 0; part < PARTS; part++) {
        LayerTimes times = new LayerTimes(model.config());
        int answered = 0;
        int first = rounds * part / PARTS;
        int end = rounds * (part + 1) / PARTS;
        for (int round = first; round < end; round++) {
          float[] logits =
              session.prefill(
                  random.ints(ROUND - ANSWER, 0, model.config().vocabularySize()).toArray());
          for (int i = 0; i < ANSWER; i++, answered++) {
            logits = session.decode(checkedLargest(logits), times);
          }
          checkedLargest(logits);
        }
        perToken[part] = times.recurrent / 1e3 / answered;
        System.out.printf(
            "%d tokens: %.0f us a token in recurrent layers, %.0f in all; norms of states %s%n",
            session.position(),
            perToken[part],
            times.all / 1e3 / answered,
            Arrays.toString(stateNorms(model.config(), session)));
      }
      assertEquals(tokens, session.position());
      assertThrows(ContextFullException.class, () -> session.decode(1));
      assertEquals(tokens, session.position());
      // The first parts are run before all is compiled; other work on the machine costs caches, and
      // what a host takes from it for a while is in one part alone.
      double late = Math.min(perToken[PARTS - 2], perToken[PARTS - 1]);
      assertTrue(late < 2 * perToken[1] + 200, "microseconds " + Arrays.toString(perToken));
    }
  }

  private static int checkedLargest(float[] logits) {
    int largest = 0;
    for (int i = 0; i < logits.length; i++) {
      assertTrue(Float.isFinite(logits[i]), "a logit is " + logits[i]);
      if (logits[i] > logits[largest]) {
        largest = i;
      }
    }
    return largest;
  }

  /** Frobenius norms of each recurrent layer's state, from what is saved. */
  private float[] stateNorms(ModelConfig config, Session session) throws IOException {
    Path file = folder.resolve("session");
    session.save(file);
    LinearAttentionConfig c = config.linearAttention();
    int window = (c.convolutionWidth() - 1) * c.convolutionChannels();
    long linear = 0;
    for (LayerType layer : config.layers()) {
      linear += layer == LayerType.LINEAR_ATTENTION ? 1 : 0;
    }
    long header = 56 + 4L * session.position() + 4L * config.vocabularySize();
    long states = linear * 4L * (window + c.stateSize());
    long attention = (Files.size(file) - header - states - 4) / (config.layers().size() - linear);
    float[] norms = new float[(int) linear];
    int found = 0;
    long at = header;
    try (FileChannel channel = FileChannel.open(file)) {
      for (LayerType layer : config.layers()) {
        if (layer == LayerType.LINEAR_ATTENTION) {
          norms[found++] = norm(channel, at + 4L * window, c.stateSize());
          at += 4L * (window + c.stateSize());
        } else {
          at += attention;
        }
      }
    }
    return norms;
  }

  private static float norm(FileChannel channel, long at, int count) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(4 * count).order(ByteOrder.LITTLE_ENDIAN);
    channel.read(bytes, at);
    double squares = 0;
    for (int i = 0; i < count; i++) {
      float value = bytes.getFloat(4 * i);
      assertTrue(Float.isFinite(value), "a state holds " + value);
      squares += (double) value * value;
    }
    return (float) Math.sqrt(squares);
  }

  private Path demoWithContext(int tokens) throws IOException {
    Path demo = DemoModel.extract();
    Path copy = Files.createDirectory(folder.resolve("model"));
    try (Stream<Path> files = Files.list(demo)) {
      for (Path file : files.toList()) {
        Files.copy(file, copy.resolve(file.getFileName().toString()));
      }
    }
    String config = Files.readString(demo.resolve("config.json"));
    Files.writeString(
        copy.resolve("config.json"),
        config.replaceAll("(\"max_position_embeddings\": )\\d+", "$1" + tokens));
    return copy;
  }
}
