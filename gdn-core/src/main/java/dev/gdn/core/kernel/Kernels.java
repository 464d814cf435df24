package dev.gdn.core.kernel;

/**
 * One set of kernels, with the scratch memory they reuse. A session owns one; it is used by one
 * thread at a time and spreads its work over the {@link dev.gdn.core.concurrent.Workers} it was
 * opened with. Results are bit-identical for any number of workers.
 *
 * <p>Every kernel checks the views and arrays it is given before it touches memory and throws
 * {@link IllegalArgumentException} naming the one that does not fit. Outputs are overwritten; they
 * may be the same view as an input only where a kernel says so.
 */
public interface Kernels {
  /** For example {@code scalar} or {@code vector-512}. */
  String name();

  /** Products with weight matrices. */
  MatrixProduct matrix();

  /** The gated delta rule. */
  DeltaRule rule();

  /** Its backward pass. */
  DeltaRuleBackward backward();

  /** The short causal convolution. */
  ShortConvolution convolution();

  /** RMS and L2 norms. */
  Normalization normalization();

  /** Gates, activations and sums. */
  Elementwise elementwise();

  /** Softmax attention over a KV cache. */
  Attention attention();

  /** Rotary position embedding. */
  Rotation rotation();

  /** The way of tokens to experts and back. */
  ExpertDispatch experts();
}
