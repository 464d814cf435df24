package dev.gdn.model.checkpoint;

import dev.gdn.core.kernel.DecayGateWeights;
import dev.gdn.core.rule.HeadMapping;
import dev.gdn.core.tensor.DataType;
import dev.gdn.core.tensor.Shape;
import dev.gdn.core.tensor.StoredTensor;
import dev.gdn.model.error.CheckpointException;
import dev.gdn.model.gguf.GgufFile;
import dev.gdn.model.gguf.GgufTensor;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The weights of a GGUF file. Its layout differs from that of hub checkpoints: in most models value
 * heads are tiled, so that everything ordered by value head (values, output gate, beta, decay,
 * convolution, columns of the output projection) is permuted; norm weights have 1 added already;
 * the decay gate has −exp(A_log) in place of A_log; dimensions of 1 are left out. Vision and
 * multi-token prediction tensors are passed over.
 */
final class GgufWeights implements WeightSource {
  private static final List<String> PASSED_OVER = List.of("v.", "mm.", "mtp.");

  private final GgufFile file;
  private final HeadMapping headMapping;
  private final Set<String> unused;
  // Once the files are closed; null before.
  private byte[] fingerprint;
  private final WeightMemory memory;

  /**
   * @param file closed with this source
   * @param layers of the model; the blocks that the file counts beside them are for multi-token
   *     prediction
   */
  GgufWeights(GgufFile file, int layers, LoadOptions options) {
    this.file = file;
    GgufModel model = GgufModel.of(file.metadata());
    this.headMapping = model.headMapping(file.metadata());
    int blocks = GgufLayers.blocks(file, model);
    this.unused = new LinkedHashSet<>(file.tensors().keySet());
    unused.removeIf(name -> isPassedOver(name, layers, blocks));
    long bytes =
        unused.stream().mapToLong(name -> file.tensors().get(name).data().byteSize()).sum();
    this.memory = new WeightMemory(file.path(), options, bytes);
  }

  private static boolean isPassedOver(String name, int layers, int blocks) {
    if (PASSED_OVER.stream().anyMatch(name::startsWith) || name.contains(".nextn.")) {
      return true;
    }
    if (!name.startsWith("blk.")) {
      return false;
    }
    String index = name.substring(4, Math.max(4, name.indexOf('.', 4)));
    try {
      int block = Integer.parseInt(index);
      return block >= layers && block < blocks;
    } catch (NumberFormatException unknown) {
      return false;
    }
  }

  @Override
  public Path location() {
    return file.path();
  }

  @Override
  public StoredTensor require(String name, long... shape) {
    return find(name, shape).orElseThrow(() -> missing(name, shape));
  }

  private CheckpointException missing(String name, long[] shape) {
    String known = GgufNames.of(name).stream().findFirst().orElse(name);
    return new CheckpointException(
        file.path(), "tensor " + known, "missing, expected shape " + new Shape(shape));
  }

  @Override
  public Optional<StoredTensor> find(String name, long... shape) {
    return findStored(name, shape)
        .map(tensor -> memory.hold(name, file.tensors().get(tensor.name()).file(), tensor));
  }

  private Optional<StoredTensor> findStored(String name, long... shape) {
    for (String candidate : GgufNames.of(name)) {
      GgufTensor tensor = file.tensors().get(candidate);
      if (tensor != null) {
        checkShape(tensor, shape);
        unused.remove(candidate);
        return Optional.of(tensor.toStored(new Shape(shape)));
      }
    }
    return Optional.empty();
  }

  @Override
  public Optional<Shape> shape(String name) {
    return GgufNames.of(name).stream()
        .filter(file.tensors()::containsKey)
        .findFirst()
        .map(stored -> file.tensors().get(stored).shape());
  }

  private void checkShape(GgufTensor tensor, long[] expected) {
    if (!Arrays.equals(withoutOnes(expected), withoutOnes(tensor.shape().dimensions()))) {
      throw problem(
          tensor, "expected shape %s, found %s".formatted(new Shape(expected), tensor.shape()));
    }
  }

  private static long[] withoutOnes(long[] dimensions) {
    return Arrays.stream(dimensions).filter(length -> length != 1).toArray();
  }

  @Override
  public DecayGateWeights decayGate(String prefix, int heads) {
    StoredTensor stored = require(prefix + "decay_rate", heads);
    float[] rate = stored.toFloats();
    for (float value : rate) {
      if (!(value <= 0)) {
        throw problem(
            file.tensors().get(stored.name()), "expected -exp(A_log), at most 0, found " + value);
      }
    }
    return new DecayGateWeights(rate, require(prefix + "dt_bias", heads).toFloats());
  }

  @Override
  public void refuseUnused() {
    if (!unused.isEmpty()) {
      throw problem(
          file.tensors().get(unused.iterator().next()),
          "unknown, expected none beside the configuration's%s"
              .formatted(unused.size() == 1 ? "" : " (and %d more)".formatted(unused.size() - 1)));
    }
    if (memory.finish()) {
      fingerprint = fingerprint();
      file.close();
    }
  }

  @Override
  public Set<DataType> matrixTypes() {
    return memory.matrixTypes();
  }

  @Override
  public boolean zeroCentredNorms() {
    return false;
  }

  @Override
  public HeadMapping headMapping() {
    return headMapping;
  }

  @Override
  public byte[] fingerprint() {
    if (fingerprint != null) {
      return fingerprint.clone();
    }
    Fingerprint computed = new Fingerprint();
    file.tensors().forEach((name, t) -> computed.add(name, t.type(), t.shape(), t.data()));
    return computed.hash();
  }

  @Override
  public void close() {
    memory.close();
    file.close();
  }

  private static CheckpointException problem(GgufTensor tensor, String problem) {
    return new CheckpointException(tensor.file(), "tensor " + tensor.name(), problem);
  }
}
