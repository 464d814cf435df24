package dev.gdn.core.kernel;

/** A pointwise function. Of NaN it is NaN, of infinities what it tends to. */
public enum Activation {
  /** x. */
  IDENTITY,
  /** 1 / (1 + e^-x); 0 at minus infinity. */
  SIGMOID,
  /** x / (1 + e^-x); −0 at minus infinity. */
  SILU
}
