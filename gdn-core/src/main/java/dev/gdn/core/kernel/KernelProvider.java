package dev.gdn.core.kernel;

import dev.gdn.core.concurrent.Workers;
import dev.gdn.core.tensor.DataType;
import dev.gdn.core.tensor.RowLayout;
import java.util.Optional;
import java.util.Set;

/** Makes one kind of kernels; found with {@link java.util.ServiceLoader}. Safe to share. */
public interface KernelProvider {
  /** What {@link KernelChoice} asks for: {@code scalar} or {@code vector}. */
  String name();

  /** Among those that can run here, the provider with the highest speed is chosen. */
  int speed();

  /** Why these kernels cannot run here; empty if they can. */
  Optional<String> unavailable();

  /**
   * Begins in the background with what makes the first calls of its kernels fast, and returns at
   * once. May be called again, as more is known; it need not be called at all.
   *
   * @param weights what the matrices are stored as, as far as that is known
   */
  default void prepare(Set<DataType> weights) {}

  /** The order in which bytes of a matrix of this type give the fastest products. */
  default RowLayout layout(DataType type) {
    return RowLayout.ROWS;
  }

  /**
   * New kernels with scratch memory of their own.
   *
   * @throws IllegalStateException if they cannot run here
   */
  Kernels open(Workers workers);
}
