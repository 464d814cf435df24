package dev.gdn.model.config;

/** What the decay of a linear-attention state is one number of. */
public enum DecayGate {
  /** Each value head: gated DeltaNet. */
  PER_HEAD,
  /** Each key channel of each head: Kimi Delta Attention. */
  PER_KEY_CHANNEL
}
