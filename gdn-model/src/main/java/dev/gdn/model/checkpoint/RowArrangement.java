package dev.gdn.model.checkpoint;

import dev.gdn.core.concurrent.Workers;
import dev.gdn.core.tensor.DataType;
import dev.gdn.core.tensor.RowGroups;
import dev.gdn.core.tensor.RowLayout;
import dev.gdn.core.tensor.Shape;
import dev.gdn.core.tensor.StoredTensor;
import dev.gdn.core.tensor.WeightMatrix;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.LongConsumer;

/** Lays the rows of matrices out as kernels like them, on several threads. */
final class RowArrangement {
  /** Pieces of these are taken out at rows that need not begin a group. */
  private static final List<String> CUT =
      List.of(".in_proj_qkvz.", ".in_proj_ba.", ".gate_up_proj", ".kv_b_proj.");

  /** Groups between two calls of the progress. */
  private static final int PIECE = 1024;

  private static final int LARGEST_ARRAY = Integer.MAX_VALUE - 16;

  private static final int GROUPS_OF_PART = 8;

  private final LoadOptions options;
  private final long checkpointBytes;

  /**
   * @param checkpointBytes of all its weights
   */
  RowArrangement(LoadOptions options, long checkpointBytes) {
    this.options = options;
    this.checkpointBytes = checkpointBytes;
  }

  /**
   * Whether a tensor is to be laid out anew.
   *
   * @param name as {@link WeightSource} has it
   */
  boolean covers(String name, DataType type, Shape shape) {
    return options.layout().apply(type) == RowLayout.GROUPS
        && (shape.rank() == 2 || shape.rank() == 3)
        && RowGroups.covers(type, shape.dimension(shape.rank() - 2))
        && shape.elements() > 0
        && type.bytes(shape.elements()) <= LARGEST_ARRAY
        && CUT.stream().noneMatch(name::contains)
        && checkpointBytes <= options.arrangedBytes();
  }

  private static long rows(Shape shape) {
    return shape.elements() / shape.dimension(shape.rank() - 1);
  }

  /**
   * Lays a tensor out in groups of rows.
   *
   * @param progress told how many rows are done
   */
  StoredTensor arrange(StoredTensor tensor, LongConsumer progress) {
    Shape shape = tensor.shape();
    int rows = Math.toIntExact(rows(shape));
    int columns = Math.toIntExact(shape.dimension(shape.rank() - 1));
    // Groups of one matrix of a stack follow those of the one before.
    WeightMatrix source =
        new WeightMatrix(tensor.name(), tensor.type(), rows, columns, tensor.data());
    byte[] target = new byte[Math.toIntExact(tensor.data().byteSize())];
    Workers workers = options.workers();
    int groups = rows / RowGroups.ROWS;
    for (int first = 0; first < groups; first += PIECE) {
      int from = first;
      int end = Math.min(groups, first + PIECE);
      workers.run(
          Math.ceilDiv(end - first, GROUPS_OF_PART),
          (part, worker) -> {
            int group = from + part * GROUPS_OF_PART;
            RowGroups.arrange(source, target, group, Math.min(GROUPS_OF_PART, end - group));
          });
      progress.accept((long) end * RowGroups.ROWS);
    }
    MemorySegment data = MemorySegment.ofArray(target);
    return new StoredTensor(tensor.name(), tensor.type(), shape, RowLayout.GROUPS, data);
  }
}
