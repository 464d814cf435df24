package dev.gdn.model.checkpoint;

import dev.gdn.core.kernel.DecayGateWeights;
import dev.gdn.core.rule.HeadMapping;
import dev.gdn.core.tensor.DataType;
import dev.gdn.core.tensor.Shape;
import dev.gdn.core.tensor.StoredTensor;
import dev.gdn.model.config.Architecture;
import dev.gdn.model.config.BlockScaling;
import dev.gdn.model.error.CheckpointException;
import dev.gdn.model.file.FileKind;
import dev.gdn.model.safetensors.SafetensorsFile;
import dev.gdn.model.safetensors.SafetensorsTensor;
import dev.gdn.model.safetensors.SafetensorsType;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The weights of a hub folder: {@code model.safetensors}, or shards with {@code
 * model.safetensors.index.json}. In multimodal checkpoints the text model's tensors are found under
 * {@code model.language_model.}, elsewhere under {@code model.}; tensors of the vision tower and of
 * multi-token prediction are passed over. A matrix in FP8 has its scales beside it, under its own
 * name and {@code _scale_inv}: the factors to multiply with, whatever the name says.
 */
public final class HubWeights implements WeightSource {
  private static final Logger LOG = LoggerFactory.getLogger(HubWeights.class);

  static final String SINGLE_FILE = "model.safetensors";
  static final String INDEX = "model.safetensors.index.json";
  private static final String HEAD = "lm_head.weight";

  /** Where the text model may sit; the longer prefix goes first. */
  private static final List<String> TEXT_PREFIXES = List.of("model.language_model.", "model.");

  private static final List<String> PASSED_OVER = List.of("model.visual.", "visual.", "mtp.");

  /** Some checkpoints store what follows from the configuration. */
  private static final String DERIVED = ".rotary_emb.inv_freq";

  private static final String SCALES = "_scale_inv";

  private final Path location;
  private final HubLayout layout;
  private final Arena arena;
  private final Optional<BlockScaling> scaling;
  private final Map<String, SafetensorsTensor> tensors = new LinkedHashMap<>();
  private final Set<String> unused = new LinkedHashSet<>();
  // Once the files are closed; null before.
  private byte[] fingerprint;
  private final WeightMemory memory;
  private String prefix = "";

  private HubWeights(
      Path location,
      HubLayout layout,
      Arena arena,
      Map<String, SafetensorsTensor> stored,
      boolean tiedEmbedding,
      Optional<BlockScaling> scaling,
      LoadOptions options) {
    this.location = location;
    this.layout = layout;
    this.arena = arena;
    this.scaling = scaling;
    addAll(stored);
    if (tiedEmbedding) {
      unused.removeAll(List.of(HEAD, HEAD + SCALES));
    }
    long bytes = unused.stream().mapToLong(name -> tensors.get(name).data().byteSize()).sum();
    this.memory = new WeightMemory(location, options, bytes);
  }

  /**
   * Maps the weights of a folder.
   *
   * @param architecture says how tensors are named and stored
   * @param tiedEmbedding whether the head is the embedding: a stored head is then a known extra
   * @param scaling of the FP8 matrices; empty if there are none
   * @throws CheckpointException if a file is missing or not valid
   */
  public static HubWeights open(
      Path folder,
      Architecture architecture,
      boolean tiedEmbedding,
      Optional<BlockScaling> scaling,
      LoadOptions options) {
    Arena arena = Arena.ofShared();
    try {
      return new HubWeights(
          folder,
          HubLayout.of(architecture),
          arena,
          openTensors(folder, arena),
          tiedEmbedding,
          scaling,
          options);
    } catch (Throwable failure) {
      arena.close();
      throw failure;
    }
  }

  private static Map<String, SafetensorsTensor> openTensors(Path folder, Arena arena) {
    Path single = folder.resolve(SINGLE_FILE);
    if (FileKind.isThere(single)) {
      return SafetensorsFile.open(single, arena).tensors();
    }
    Path index = folder.resolve(INDEX);
    if (FileKind.isThere(index)) {
      return ShardedTensors.open(ShardIndex.read(index), arena);
    }
    throw new CheckpointException(
        folder, "weights", "expected " + SINGLE_FILE + " or " + INDEX + ", found neither");
  }

  private void addAll(Map<String, SafetensorsTensor> stored) {
    int passedOver = 0;
    for (SafetensorsTensor tensor : stored.values()) {
      String name = withoutPrefix(tensor.name());
      if (isPassedOver(tensor.name()) || isPassedOver(name)) {
        passedOver++;
        continue;
      }
      if (!tensor.name().equals(name)) {
        prefix = tensor.name().substring(0, tensor.name().length() - name.length());
      }
      SafetensorsTensor other = tensors.putIfAbsent(name, tensor);
      if (other != null) {
        throw problem(tensor, "is the same weight as tensor " + other.name());
      }
      unused.add(name);
    }
    if (passedOver > 0) {
      LOG.info(
          "{}: tensors of the vision tower, of multi-token prediction and of what the configuration"
              + " says are passed over: {}",
          location,
          passedOver);
    }
  }

  private static boolean isPassedOver(String name) {
    return PASSED_OVER.stream().anyMatch(name::startsWith) || name.endsWith(DERIVED);
  }

  private static String withoutPrefix(String name) {
    for (String prefix : TEXT_PREFIXES) {
      if (name.startsWith(prefix)) {
        return name.substring(prefix.length());
      }
    }
    return name;
  }

  @Override
  public Path location() {
    return location;
  }

  @Override
  public StoredTensor require(String name, long... shape) {
    return find(name, shape).orElseThrow(() -> missing(name, shape));
  }

  @Override
  public Optional<StoredTensor> find(String name, long... shape) {
    return findStored(name, shape)
        .map(
            tensor ->
                isScaled(tensor)
                    ? memory.hold(name, tensor.file(), scaled(name, tensor))
                    : memory.hold(name, tensor.file(), tensor.toStored()));
  }

  private CheckpointException missing(String name, long[] shape) {
    String known = layout.stored(name).getFirst();
    return new CheckpointException(
        location,
        "tensor " + (known.equals(HEAD) ? known : prefix + known),
        "missing, expected shape " + new Shape(shape));
  }

  private Optional<SafetensorsTensor> findStored(String name, long... shape) {
    Optional<String> stored = storedName(name);
    if (stored.isEmpty()) {
      return Optional.empty();
    }
    SafetensorsTensor tensor = tensors.get(stored.get());
    Shape expected = new Shape(shape);
    if (!tensor.shape().equals(expected)) {
      throw problem(tensor, "expected shape " + expected + ", found " + tensor.shape());
    }
    unused.remove(stored.get());
    return Optional.of(tensor);
  }

  private static boolean isScaled(SafetensorsTensor tensor) {
    int rank = tensor.shape().rank();
    return tensor.type() == SafetensorsType.F8_E4M3 && (rank == 2 || rank == 3);
  }

  private BlockScaledMatrix scaled(String name, SafetensorsTensor tensor) {
    BlockScaling block =
        scaling.orElseThrow(
            () -> problem(tensor, "is F8_E4M3, but config.json has no quantization_config"));
    Shape shape = BlockScaledMatrix.scalesOf(tensor.shape(), block);
    SafetensorsTensor scales =
        findStored(name + SCALES, shape.dimensions())
            .orElseThrow(
                () ->
                    problem(
                        tensor,
                        "expected its scales in %s, found none".formatted(tensor.name() + SCALES)));
    float[] values = scales.toFloats();
    for (float value : values) {
      if (!Float.isFinite(value)) {
        throw problem(scales, "expected finite scales, found " + value);
      }
    }
    return new BlockScaledMatrix(tensor.name(), tensor.shape(), tensor.data(), values, block);
  }

  @Override
  public Optional<long[]> integers(String name) {
    return storedName(name)
        .map(
            stored -> {
              unused.remove(stored);
              return tensors.get(stored).toLongs();
            });
  }

  @Override
  public Optional<Shape> shape(String name) {
    return storedName(name).map(stored -> tensors.get(stored).shape());
  }

  private Optional<String> storedName(String name) {
    return layout.stored(name).stream().filter(tensors::containsKey).findFirst();
  }

  @Override
  public DecayGateWeights decayGate(String prefix, int heads) {
    return DecayGateWeights.fromLog(
        require(prefix + "A_log", heads).toFloats(), require(prefix + "dt_bias", heads).toFloats());
  }

  @Override
  public void refuseUnused() {
    if (!unused.isEmpty()) {
      SafetensorsTensor first = tensors.get(unused.iterator().next());
      String more = unused.size() == 1 ? "" : " (and %d more)".formatted(unused.size() - 1);
      throw problem(first, "unknown: a model of this configuration has no such tensor" + more);
    }
    if (memory.finish()) {
      fingerprint = fingerprint();
      arena.close();
    }
  }

  @Override
  public Set<DataType> matrixTypes() {
    return memory.matrixTypes();
  }

  @Override
  public boolean zeroCentredNorms() {
    return layout.zeroCentredNorms();
  }

  @Override
  public HeadMapping headMapping() {
    return HeadMapping.GROUPED;
  }

  @Override
  public byte[] fingerprint() {
    if (fingerprint != null) {
      return fingerprint.clone();
    }
    Fingerprint computed = new Fingerprint();
    tensors.forEach((name, t) -> computed.add(name, t.type(), t.shape(), t.data()));
    return computed.hash();
  }

  @Override
  public void close() {
    memory.close();
    if (arena.scope().isAlive()) {
      arena.close();
    }
  }

  private static CheckpointException problem(SafetensorsTensor tensor, String problem) {
    return new CheckpointException(tensor.file(), "tensor " + tensor.name(), problem);
  }
}
