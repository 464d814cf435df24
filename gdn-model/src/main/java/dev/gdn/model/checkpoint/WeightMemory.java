package dev.gdn.model.checkpoint;

import dev.gdn.core.tensor.DataType;
import dev.gdn.core.tensor.Shape;
import dev.gdn.core.tensor.StoredTensor;
import dev.gdn.core.tensor.WeightMatrix;
import dev.gdn.model.error.CheckpointException;
import dev.gdn.model.file.Interruption;
import dev.gdn.model.gguf.RowEncoder;
import dev.gdn.model.gguf.RowSource;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;

/**
 * The weights of a checkpoint that are not used as they lie in its files: they are quantised, or
 * laid out anew, into memory outside the heap. For one thread at a time.
 */
final class WeightMemory implements AutoCloseable {
  private static final long ALIGNMENT = 64;

  /** Tables of n-grams stay in the file: they are most of it, and few rows are read. */
  private static final String TABLE = ".ngram_embedding.";

  /** What a tensor in this memory is. */
  private record Target(Path file, String key, String name, DataType type, Shape shape) {}

  /** Elements of a matrix whose products take time. */
  private static final long LARGE = 1 << 16;

  /** What comes into it. */
  @FunctionalInterface
  private interface Content {
    /** Writes all of it and tells after each piece how many rows are done. */
    void writeTo(MemorySegment memory, LongConsumer progress);
  }

  private final Path location;
  private final LoadOptions options;
  private final long totalBytes;
  private final RowArrangement arrangement;
  private final Arena arena = Arena.ofShared();
  private final Map<String, StoredTensor> held = new HashMap<>();
  private long doneBytes;
  private boolean counted;
  private boolean quantized;
  private boolean viewed;

  /**
   * @param location of the checkpoint, for messages
   * @param totalBytes of all tensors that may be asked for
   */
  WeightMemory(Path location, LoadOptions options, long totalBytes) {
    this.location = location;
    this.options = options;
    this.totalBytes = totalBytes;
    this.arrangement = new RowArrangement(options, totalBytes);
  }

  /**
   * A tensor as it is to be used: itself, or quantised if that was asked for, or laid out anew.
   *
   * @param name as {@link WeightSource} has it
   * @param file that it lies in, for messages
   * @throws CheckpointException if it is to be quantised and holds what is no finite number
   */
  StoredTensor hold(String name, Path file, StoredTensor tensor) {
    return held.computeIfAbsent(name, key -> load(key, file, tensor));
  }

  /**
   * A matrix that kernels do not compute with as it is stored: laid out anew, or quantised.
   *
   * @see #hold(String, Path, StoredTensor)
   */
  StoredTensor hold(String name, Path file, BlockScaledMatrix matrix) {
    return held.computeIfAbsent(name, key -> load(key, file, matrix));
  }

  /** What the matrices that were held are stored as, but for small ones such as convolutions. */
  Set<DataType> matrixTypes() {
    return held.values().stream()
        .filter(tensor -> tensor.shape().rank() > 1 && tensor.shape().elements() >= LARGE)
        .map(StoredTensor::type)
        .collect(Collectors.toUnmodifiableSet());
  }

  private StoredTensor load(String name, Path file, StoredTensor tensor) {
    long bytes = tensor.data().byteSize();
    if (options.quantization().isEmpty() || !isFloat(tensor.type()) || name.contains(TABLE)) {
      if (arrangement.covers(name, tensor.type(), tensor.shape())) {
        return arrange(tensor, bytes);
      }
      viewed = true;
      doneBytes += bytes;
      return tensor;
    }
    if (tensor.shape().elements() > 0 && covers(name, tensor.shape())) {
      Target target = new Target(file, name, tensor.name(), target(), tensor.shape());
      return encode(target, rows(tensor), bytes);
    }
    // A copy, so that the file need not stay mapped for it.
    MemorySegment copy = arena.allocate(Math.max(bytes, 1), ALIGNMENT).asSlice(0, bytes);
    copy.copyFrom(tensor.data());
    doneBytes += bytes;
    return new StoredTensor(tensor.name(), tensor.type(), tensor.shape(), copy);
  }

  private StoredTensor load(String name, Path file, BlockScaledMatrix matrix) {
    long bytes = matrix.codes().byteSize();
    DataType type = covers(name, matrix.shape()) ? target() : matrix.type();
    Target target = new Target(file, name, matrix.name(), type, matrix.shape());
    return type == DataType.F8_E4M3
        ? fill(
            target, bytes, (memory, progress) -> matrix.pack(memory, options.workers(), progress))
        : encode(target, matrix, bytes);
  }

  /** The rows of a tensor; its innermost dimension is their length. */
  private static RowSource rows(StoredTensor tensor) {
    Shape shape = tensor.shape();
    int columns = Math.toIntExact(shape.dimension(shape.rank() - 1));
    int rows = Math.toIntExact(shape.elements() / columns);
    WeightMatrix matrix =
        new WeightMatrix(tensor.name(), tensor.type(), rows, columns, tensor.data());
    return (row, target) -> matrix.decodeRow(Math.toIntExact(row), target, 0);
  }

  private boolean covers(String name, Shape shape) {
    return options.quantization().filter(q -> q.covers(name, shape)).isPresent();
  }

  private DataType target() {
    quantized = true;
    return options.quantization().orElseThrow().type();
  }

  private static boolean isFloat(DataType type) {
    return switch (type) {
      case F32, F16, BF16 -> true;
      default -> false;
    };
  }

  private StoredTensor encode(Target target, RowSource rows, long sourceBytes) {
    RowSource named = new TensorRows(target.file, target.name, rows);
    RowEncoder encoder = new RowEncoder(target.type, target.shape, named, options.workers());
    return fill(target, sourceBytes, encoder::encode);
  }

  private StoredTensor fill(Target target, long sourceBytes, Content content) {
    if (!arrangement.covers(target.key, target.type, target.shape)) {
      return fill(target, arena, sourceBytes, content);
    }
    try (Arena passing = Arena.ofShared()) {
      return arrange(fill(target, passing, sourceBytes, content), 0);
    }
  }

  private StoredTensor fill(Target target, Arena arena, long sourceBytes, Content content) {
    MemorySegment memory = arena.allocate(target.type.bytes(target.shape.elements()), ALIGNMENT);
    content.writeTo(memory, progress(target.shape, sourceBytes));
    return new StoredTensor(target.name, target.type, target.shape, memory);
  }

  private StoredTensor arrange(StoredTensor tensor, long sourceBytes) {
    StoredTensor arranged = arrangement.arrange(tensor, progress(tensor.shape(), sourceBytes));
    if (tensor.data().isMapped()) {
      // What was read is not needed any more: the process is not to hold the weights twice.
      tensor.data().unload();
    }
    return arranged;
  }

  /** Counts rows of a tensor, of which there are some when this is called. */
  private LongConsumer progress(Shape shape, long sourceBytes) {
    counted = true;
    long rows = shape.elements() / shape.dimension(shape.rank() - 1);
    long before = doneBytes;
    return done -> {
      doneBytes = before + (long) ((double) sourceBytes * done / rows);
      options.progress().done(doneBytes, totalBytes);
      checkInterruption();
    };
  }

  private void checkInterruption() {
    if (Thread.currentThread().isInterrupted()) {
      throw Interruption.whileLoading(location);
    }
  }

  /**
   * Called when all weights were asked for.
   *
   * @return whether the files are no longer needed, because no tensor is a view of one
   * @throws CheckpointException if weights were to be quantised and none could be
   */
  boolean finish() {
    if (options.quantization().isPresent() && !quantized) {
      throw new CheckpointException(
          location,
          "weights",
          "expected matrices in floating point to quantise to %s, found none"
              .formatted(options.quantization().get()));
    }
    if (counted) {
      options.progress().done(totalBytes, totalBytes);
    }
    return options.quantization().isPresent() && !viewed;
  }

  /** Gives the memory back. May be called again. */
  @Override
  public void close() {
    if (arena.scope().isAlive()) {
      arena.close();
    }
  }
}
