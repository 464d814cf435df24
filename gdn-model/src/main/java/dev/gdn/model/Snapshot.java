package dev.gdn.model;

import dev.gdn.model.state.SequenceState;

/**
 * A session as it stood at one time. Immutable, and safe to share by threads; it shares memory with
 * the session it comes from. Any session of the same model can be set back to it.
 */
public final class Snapshot {
  private final LanguageModel model;
  private final SequenceState state;

  Snapshot(LanguageModel model, SequenceState state) {
    this.model = model;
    this.state = state;
  }

  /** Tokens that the session had taken. */
  public int position() {
    return state.position();
  }

  /** These tokens. */
  public int[] tokens() {
    return state.tokens().clone();
  }

  /** Bytes it refers to, those included that it shares. */
  public long bytes() {
    return state.bytes();
  }

  LanguageModel model() {
    return model;
  }

  SequenceState state() {
    return state;
  }
}
