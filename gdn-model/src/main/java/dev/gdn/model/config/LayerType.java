package dev.gdn.model.config;

/** How a layer mixes tokens. */
public enum LayerType {
  /** The gated delta rule: a state of fixed size. */
  LINEAR_ATTENTION,
  /** Gated softmax attention over the whole context. */
  FULL_ATTENTION
}
