package dev.gdn.acceptance.models;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gdn.core.concurrent.Workers;
import dev.gdn.model.LanguageModel;
import dev.gdn.model.ModelOptions;
import dev.gdn.model.Session;
import dev.gdn.model.config.Architecture;
import dev.gdn.model.config.AttentionConfig;
import dev.gdn.model.config.DenseFeedForward;
import dev.gdn.model.config.FeedForwardConfig;
import dev.gdn.model.config.LayerType;
import dev.gdn.model.config.LinearAttentionConfig;
import dev.gdn.model.config.MixtureOfExperts;
import dev.gdn.model.config.ModelConfig;
import dev.gdn.model.config.RotaryConfig;
import dev.gdn.model.gguf.FileType;
import dev.gdn.model.gguf.GgmlType;
import dev.gdn.model.gguf.GgufFile;
import dev.gdn.model.gguf.GgufTensor;
import dev.gdn.model.gguf.GgufWriter;
import dev.gdn.model.synth.SyntheticCheckpoint;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterProperty;
import net.jqwik.api.lifecycle.BeforeProperty;

/** Tiny models of random sizes and layer plans, with random weights. */
class RandomModelTest {
  private static final int VOCABULARY = 300;

  private Path folder;

  @BeforeProperty
  void makeFolder() throws IOException {
    folder = Files.createTempDirectory("gdn-random-models");
  }

  @AfterProperty
  void removeFolder() throws IOException {
    for (String name : List.of("model.gguf", "decoded.gguf")) {
      Files.deleteIfExists(folder.resolve(name));
    }
    Files.delete(folder);
  }

  @Property
  void anySplitOnAnyKernelsGivesTheSame(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 150) int tokens) throws IOException {
    Random random = new Random(seed);
    Path file = write(random(random, 1), FileType.F32, seed);
    int[] ids = random.ints(tokens, 0, VOCABULARY).toArray();
    float[] expected = logits(file, "scalar", new Random(seed), ids, tokens);
    for (String kernels : List.of("scalar", "vector")) {
      for (int longest : new int[] {1, 20, tokens}) {
        assertClose(expected, logits(file, kernels, random, ids, longest));
      }
    }
  }

  /** Not Q4_0, with which inputs are rounded too. */
  @Property
  void quantisedModelsComputeWhatTheirWeightsDecodeTo(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 60) int tokens) throws IOException {
    Random random = new Random(seed);
    List<FileType> types =
        List.of(
            FileType.F16,
            FileType.BF16,
            FileType.Q8_0,
            FileType.Q5_0,
            FileType.Q5_1,
            FileType.Q4_1);
    FileType type = types.get(random.nextInt(types.size()));
    Path file = write(random(random, 32), type, seed);
    Path decoded = decode(file);
    int[] ids = random.ints(tokens, 0, VOCABULARY).toArray();
    for (String kernels : List.of("scalar", "vector")) {
      assertClose(
          logits(decoded, kernels, new Random(seed), ids, tokens),
          logits(file, kernels, new Random(seed), ids, tokens));
    }
  }

  /** A model whose widths are multiples of {@code unit}, the length of a quantised block. */
  private static ModelConfig random(Random random, int unit) {
    int count = 1 + random.nextInt(5);
    boolean mixture = random.nextBoolean();
    List<LayerType> layers = new ArrayList<>();
    int interval = 2 + random.nextInt(3);
    for (int i = 1; i <= count; i++) {
      layers.add(i % interval == 0 ? LayerType.FULL_ATTENTION : LayerType.LINEAR_ATTENTION);
    }
    int keyHeads = 1 + random.nextInt(2);
    int valueHeads = keyHeads * (1 + random.nextInt(3));
    int keyValueHeads = 1 + random.nextInt(2);
    int width = unit * (1 + random.nextInt(40 / unit));
    int rotated = 2 * (1 + random.nextInt(8));
    int headWidth = unit * (1 + random.nextInt(40 / unit));
    FeedForwardConfig feedForward =
        mixture
            ? new MixtureOfExperts(
                2 + random.nextInt(5),
                1 + random.nextInt(2),
                true,
                unit * (1 + random.nextInt(64 / unit)),
                unit * (1 + random.nextInt(64 / unit)))
            : new DenseFeedForward(unit * (1 + random.nextInt(96 / unit)));
    return new ModelConfig(
        mixture ? Architecture.QWEN3_5_MOE : Architecture.QWEN3_5,
        VOCABULARY,
        unit * (1 + random.nextInt(96 / unit)),
        layers,
        1e-6,
        random.nextBoolean(),
        512,
        new AttentionConfig(
            keyValueHeads * (1 + random.nextInt(3)),
            keyValueHeads,
            Math.max(rotated, headWidth),
            new RotaryConfig(rotated, 1e6, List.of())),
        new LinearAttentionConfig(keyHeads, valueHeads, width, width, 2 + random.nextInt(4)),
        Collections.nCopies(count, feedForward));
  }

  private Path write(ModelConfig config, FileType type, long seed) throws IOException {
    Path file = folder.resolve("model.gguf");
    SyntheticCheckpoint.write(
        "random", config, type, seed, file, Workers.of(1), (done, total) -> {});
    return file;
  }

  /** The same file with all tensors in float32. */
  private Path decode(Path file) throws IOException {
    Path decoded = folder.resolve("decoded.gguf");
    GgufWriter writer = new GgufWriter();
    try (GgufFile source = GgufFile.open(file)) {
      source.metadata().values().forEach(writer::put);
      for (GgufTensor tensor : source.tensors().values()) {
        MemorySegment values = MemorySegment.ofArray(tensor.toStored().toFloats());
        writer.tensor(tensor.name(), GgmlType.F32, tensor.shape(), values);
      }
      writer.write(decoded, (done, total) -> {});
    }
    return decoded;
  }

  /** What follows the last token when the sequence is taken in pieces of random lengths. */
  private static float[] logits(Path file, String kernels, Random random, int[] ids, int longest) {
    ModelOptions options = ModelOptions.defaults().withKernels(kernels).withSnapshotBytes(0);
    try (LanguageModel model = LanguageModel.open(file, options)) {
      Session session = model.newSession();
      while (session.position() < ids.length) {
        int from = session.position();
        int piece = longest == ids.length ? longest : 1 + random.nextInt(longest);
        int to = Math.min(ids.length, from + piece);
        if (to == from + 1) {
          session.decode(ids[from]);
        } else {
          session.prefill(Arrays.copyOfRange(ids, from, to));
        }
      }
      assertArrayEquals(ids, session.tokens());
      return session.logits().clone();
    }
  }

  private static void assertClose(float[] expected, float[] found) {
    double largest = 0;
    for (float logit : expected) {
      largest = Math.max(largest, Math.abs(logit));
    }
    for (int i = 0; i < expected.length; i++) {
      double off = Math.abs(expected[i] - found[i]);
      assertTrue(
          off <= Checkpoints.TOLERANCE * largest,
          "logit %d: expected %s, found %s".formatted(i, expected[i], found[i]));
    }
  }
}
