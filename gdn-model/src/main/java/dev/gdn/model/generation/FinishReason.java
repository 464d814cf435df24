package dev.gdn.model.generation;

/** Why a generation ended. */
public enum FinishReason {
  /** The model produced one of its stop ids. */
  STOP_TOKEN,
  /** As many tokens as asked for. */
  MAX_TOKENS,
  /** No further token fits the context. */
  CONTEXT_FULL,
  /** The thread was interrupted. */
  CANCELLED
}
