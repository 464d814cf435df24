package dev.gdn.core.kernel;

/** A pointwise function. */
public enum Activation {
  /** x. */
  IDENTITY,
  /** 1 / (1 + e^-x). */
  SIGMOID,
  /** x / (1 + e^-x). */
  SILU
}
