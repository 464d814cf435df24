package dev.gdn.model.config;

/** What one RMSNorm of queries, or of keys, takes the mean over. */
public enum QueryKeyNorm {
  /** Each head. */
  PER_HEAD,
  /** All heads together. */
  JOINT
}
