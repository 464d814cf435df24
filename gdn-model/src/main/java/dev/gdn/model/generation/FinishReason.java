package dev.gdn.model.generation;

/** Why a generation ended. */
public enum FinishReason {
  /** The model produced one of its stop ids. */
  STOP_TOKEN,
  /** The text reached one of the stop strings. */
  STOP_STRING,
  /** The constraint is met, and it lets nothing follow. */
  CONSTRAINT_MET,
  /** As many tokens as asked for. */
  MAX_TOKENS,
  /** No further token fits the context. */
  CONTEXT_FULL,
  /** It was cancelled, or the thread was interrupted. */
  CANCELLED;

  /** Whether the model would have gone on. */
  public boolean cutsOff() {
    return this == MAX_TOKENS || this == CONTEXT_FULL || this == CANCELLED;
  }
}
