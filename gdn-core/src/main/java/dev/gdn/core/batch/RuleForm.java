package dev.gdn.core.batch;

/** The two ways to compute the gated delta rule; both give the same up to rounding. */
public enum RuleForm {
  /** The WY/UT form, chunk by chunk. */
  CHUNK,
  /** Token by token. */
  RECURRENT
}
