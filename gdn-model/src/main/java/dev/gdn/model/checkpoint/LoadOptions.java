package dev.gdn.model.checkpoint;

import dev.gdn.core.concurrent.Workers;
import dev.gdn.core.tensor.DataType;
import dev.gdn.core.tensor.RowLayout;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * How weights are loaded.
 *
 * @param quantization what matrices in floating point become; empty: they stay as they are stored
 * @param layout the order of rows that kernels like for a type
 * @param arrangedBytes the most that a checkpoint's weights may take to be laid out so, on the
 *     heap; matrices of a larger one stay mapped, with one row after the other
 * @param workers decode, encode and lay out rows
 * @param progress told how far it is
 */
public record LoadOptions(
    Optional<Quantization> quantization,
    Function<DataType, RowLayout> layout,
    long arrangedBytes,
    Workers workers,
    LoadProgress progress) {
  /** Checks that all are there. */
  public LoadOptions {
    Objects.requireNonNull(quantization, "quantization");
    Objects.requireNonNull(layout, "layout");
    Objects.requireNonNull(workers, "workers");
    Objects.requireNonNull(progress, "progress");
  }

  /** Weights as they are stored, on the pool of the process. */
  public static LoadOptions defaults() {
    return mapped(Optional.empty(), Workers.shared(), (bytes, total) -> {});
  }

  /** Weights with one row after the other. */
  public static LoadOptions mapped(
      Optional<Quantization> quantization, Workers workers, LoadProgress progress) {
    return new LoadOptions(quantization, type -> RowLayout.ROWS, 0, workers, progress);
  }
}
