package dev.gdn.model.checkpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.gdn.core.concurrent.Workers;
import dev.gdn.core.tensor.Shape;
import dev.gdn.model.config.Architecture;
import dev.gdn.model.config.AttentionConfig;
import dev.gdn.model.config.DenseFeedForward;
import dev.gdn.model.config.LayerType;
import dev.gdn.model.config.LinearAttentionConfig;
import dev.gdn.model.config.ModelConfig;
import dev.gdn.model.config.NgramConfig;
import dev.gdn.model.config.ResidualStreams;
import dev.gdn.model.config.RotaryConfig;
import dev.gdn.model.gguf.GgmlType;
import dev.gdn.model.gguf.GgufFile;
import dev.gdn.model.gguf.GgufValue;
import dev.gdn.model.gguf.GgufWriter;
import dev.gdn.model.safetensors.SafetensorsWriter;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What makes another model of one, and what does not. */
class ModelIdentityTest {
  private static final NgramConfig NGRAMS =
      new NgramConfig(3, 2, 100, 8, 1, 16, 4, 7, 0, List.of(1));

  /** As its canonical constructor takes it. */
  private static final List<Object> CONFIG =
      List.of(
          Architecture.QWEN3_5,
          256,
          8,
          List.of(LayerType.LINEAR_ATTENTION, LayerType.FULL_ATTENTION),
          1e-6,
          true,
          512,
          new AttentionConfig(2, 1, 8, new RotaryConfig(4, 1e6, List.of())),
          new LinearAttentionConfig(1, 2, 8, 8, 4),
          List.of(new DenseFeedForward(16), new DenseFeedForward(16)),
          new ResidualStreams(2, 4),
          Optional.of(NGRAMS));

  private static final Map<String, Object> OTHERS =
      Map.ofEntries(
          Map.entry("architecture", Architecture.QWEN3_NEXT),
          Map.entry("vocabularySize", 257),
          Map.entry("hiddenSize", 16),
          Map.entry("layers", List.of(LayerType.FULL_ATTENTION, LayerType.LINEAR_ATTENTION)),
          Map.entry("normEpsilon", Math.nextUp(1e-6)),
          Map.entry("tiedEmbedding", false),
          Map.entry("maxPositions", 513),
          Map.entry("attention", new AttentionConfig(2, 1, 8, new RotaryConfig(4, 1e7, List.of()))),
          Map.entry("linearAttention", new LinearAttentionConfig(1, 2, 8, 8, 3)),
          Map.entry("feedForwards", List.of(new DenseFeedForward(16), new DenseFeedForward(17))),
          Map.entry("residual", new ResidualStreams(2, 5)),
          Map.entry("ngrams", Optional.empty()));

  @TempDir private Path folder;

  @BeforeEach
  void writeWeights() throws IOException {
    write(folder, 1);
  }

  private static void write(Path folder, float last) throws IOException {
    new SafetensorsWriter()
        .add("model.norm.weight", new Shape(2), new float[] {1, last})
        .write(folder.resolve("model.safetensors"));
  }

  private static ModelConfig config(List<Object> components) {
    try {
      return ModelConfig.class
          .getConstructor(
              Arrays.stream(ModelConfig.class.getRecordComponents())
                  .map(RecordComponent::getType)
                  .toArray(Class[]::new))
          .newInstance(components.toArray());
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  private static String of(ModelConfig config, Path folder, Quantization... quantization) {
    Optional<Quantization> wanted = Arrays.stream(quantization).findFirst();
    LoadOptions options = LoadOptions.mapped(wanted, Workers.shared(), (bytes, total) -> {});
    try (WeightSource weights =
        HubWeights.open(folder, Architecture.QWEN3_5, true, Optional.empty(), options)) {
      return HexFormat.of().formatHex(ModelIdentity.of(config, weights, wanted));
    }
  }

  @Test
  void itIsASha256AndTheSameWhereverTheCheckpointLies() throws IOException {
    Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
    write(elsewhere, 1);
    String identity = of(config(CONFIG), folder);
    assertEquals(64, identity.length());
    assertEquals(identity, of(config(List.copyOf(CONFIG)), elsewhere));
  }

  @Test
  void eachPartOfTheConfigurationTellsModelsApart() {
    RecordComponent[] components = ModelConfig.class.getRecordComponents();
    Set<String> identities = new HashSet<>();
    identities.add(of(config(CONFIG), folder));
    for (int i = 0; i < components.length; i++) {
      Object[] changed = CONFIG.toArray();
      String name = components[i].getName();
      changed[i] = Objects.requireNonNull(OTHERS.get(name), name);
      identities.add(of(config(List.of(changed)), folder));
    }
    assertEquals(1 + components.length, identities.size());
  }

  @Test
  void weightsTheirFormatAndTheirQuantisationTellModelsApart() throws IOException {
    ModelConfig config = config(CONFIG);
    Path other = Files.createDirectory(folder.resolve("other"));
    write(other, Math.nextUp(1f));
    Set<String> identities = new HashSet<>();
    identities.add(of(config, folder));
    identities.add(of(config, other));
    for (Quantization quantization : Quantization.values()) {
      identities.add(of(config, folder, quantization));
    }
    identities.add(ofGguf(config));
    assertEquals(3 + Quantization.values().length, identities.size());
  }

  /** The same numbers in another format. */
  private String ofGguf(ModelConfig config) throws IOException {
    Path file = folder.resolve("model.gguf");
    new GgufWriter()
        .put("general.architecture", GgufValue.of("qwen35"))
        .put("qwen35.block_count", GgufValue.of(1))
        .tensor(
            "output_norm.weight",
            GgmlType.F32,
            new Shape(2),
            MemorySegment.ofArray(new float[] {1, 1}))
        .write(file, (bytes, total) -> {});
    LoadOptions options =
        LoadOptions.mapped(Optional.empty(), Workers.shared(), (bytes, total) -> {});
    try (WeightSource weights = new GgufWeights(GgufFile.open(file), 1, options)) {
      return HexFormat.of().formatHex(ModelIdentity.of(config, weights, Optional.empty()));
    }
  }
}
