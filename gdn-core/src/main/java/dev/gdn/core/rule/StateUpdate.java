package dev.gdn.core.rule;

/** What a token writes into the decayed state: the outer product k uᵀ with u as said here. */
public enum StateUpdate {
  /**
   * The delta rule, u = β (v − Sᵀk): what the state gives for the key is replaced by the value, or
   * by a share β of it. With a gate it is the gated delta rule, with a gate per key Kimi Delta
   * Attention, without gates DeltaNet.
   */
  DELTA,
  /**
   * Linear attention, u = β v: the value is added to what is there. With a gate per key it is gated
   * linear attention (Yang et al., arXiv 2312.06635), with a gate per head Mamba-2's or RetNet's
   * recurrence.
   */
  ADDITIVE
}
