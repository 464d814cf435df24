package dev.gdn.model;

import dev.gdn.core.concurrent.Workers;
import dev.gdn.core.kernel.KernelChoice;
import dev.gdn.core.kernel.KeyValueType;
import dev.gdn.model.checkpoint.LoadProgress;
import dev.gdn.model.checkpoint.Quantization;
import java.util.Objects;
import java.util.Optional;

/**
 * How a model is opened.
 *
 * @param kernels {@code auto}, {@code scalar} or {@code vector}
 * @param workers the pool that its sessions share
 * @param context the most tokens a session takes; 0 for as many as the checkpoint was made for
 * @param quantization what matrices in floating point become while they are loaded; empty: they
 *     stay as they are stored
 * @param loadProgress told how far that is
 * @param placement where quantised matrices are
 * @param keyValueType how keys and values of past tokens are held
 * @param snapshotBytes most memory for states that later prompts may go on from; 0 for none. Keys
 *     and values that a session holds as well count too
 */
public record ModelOptions(
    String kernels,
    Workers workers,
    int context,
    Optional<Quantization> quantization,
    LoadProgress loadProgress,
    WeightPlacement placement,
    KeyValueType keyValueType,
    long snapshotBytes) {
  /**
   * @throws IllegalArgumentException if the context or the memory is negative
   */
  public ModelOptions {
    Objects.requireNonNull(kernels, "kernels");
    Objects.requireNonNull(workers, "workers");
    Objects.requireNonNull(quantization, "quantization");
    Objects.requireNonNull(loadProgress, "loadProgress");
    Objects.requireNonNull(placement, "placement");
    Objects.requireNonNull(keyValueType, "keyValueType");
    if (context < 0) {
      throw new IllegalArgumentException("context: expected at least 0, found " + context);
    }
    if (snapshotBytes < 0) {
      throw new IllegalArgumentException(
          "snapshotBytes: expected at least 0, found " + snapshotBytes);
    }
  }

  /**
   * The fastest kernels, the pool of the process, the checkpoint's own context and weights, these
   * where {@link WeightPlacement#AUTO} has them, keys and values in float32, and a quarter of the
   * largest heap for snapshots.
   */
  public static ModelOptions defaults() {
    return new ModelOptions(
        KernelChoice.AUTO,
        Workers.shared(),
        0,
        Optional.empty(),
        (bytes, total) -> {},
        WeightPlacement.AUTO,
        KeyValueType.F32,
        Runtime.getRuntime().maxMemory() / 4);
  }

  /** The same with these kernels. */
  public ModelOptions withKernels(String kernels) {
    return new ModelOptions(
        kernels,
        workers,
        context,
        quantization,
        loadProgress,
        placement,
        keyValueType,
        snapshotBytes);
  }

  /** The same with this pool. */
  public ModelOptions withWorkers(Workers workers) {
    return new ModelOptions(
        kernels,
        workers,
        context,
        quantization,
        loadProgress,
        placement,
        keyValueType,
        snapshotBytes);
  }

  /** The same with this context. */
  public ModelOptions withContext(int context) {
    return new ModelOptions(
        kernels,
        workers,
        context,
        quantization,
        loadProgress,
        placement,
        keyValueType,
        snapshotBytes);
  }

  /** The same with matrices quantised while they are loaded. */
  public ModelOptions withQuantization(Quantization quantization) {
    return new ModelOptions(
        kernels,
        workers,
        context,
        Optional.of(quantization),
        loadProgress,
        placement,
        keyValueType,
        snapshotBytes);
  }

  /** The same with somebody to tell how far the loading is. */
  public ModelOptions withLoadProgress(LoadProgress loadProgress) {
    return new ModelOptions(
        kernels,
        workers,
        context,
        quantization,
        loadProgress,
        placement,
        keyValueType,
        snapshotBytes);
  }

  /** The same with quantised matrices there. */
  public ModelOptions withPlacement(WeightPlacement placement) {
    return new ModelOptions(
        kernels,
        workers,
        context,
        quantization,
        loadProgress,
        placement,
        keyValueType,
        snapshotBytes);
  }

  /** The same with keys and values held like this. */
  public ModelOptions withKeyValueType(KeyValueType keyValueType) {
    return new ModelOptions(
        kernels,
        workers,
        context,
        quantization,
        loadProgress,
        placement,
        keyValueType,
        snapshotBytes);
  }

  /** The same with this much memory for snapshots. */
  public ModelOptions withSnapshotBytes(long snapshotBytes) {
    return new ModelOptions(
        kernels,
        workers,
        context,
        quantization,
        loadProgress,
        placement,
        keyValueType,
        snapshotBytes);
  }
}
