package dev.gdn.model.generation;

/**
 * What a generated text has to look like, in tokens. Immutable and thread-safe; each generation
 * follows it with a {@link Matcher} of its own.
 */
public interface Constraint {
  /** A matcher at the beginning of a text. */
  Matcher begin();

  /** How far one text has come. Used by one thread at a time. */
  interface Matcher {
    /**
     * The tokens that may follow: bit {@code i % 64} of word {@code i / 64} for id i. Valid until
     * the next call, and not to be changed. There is at least one unless the text is {@linkplain
     * #isComplete() complete}.
     */
    long[] allowed();

    /**
     * Goes on by a token.
     *
     * @throws IllegalArgumentException if it is not allowed
     */
    void accept(int id);

    /** Whether the text may end here. */
    boolean isComplete();

    /** Whether it may not go on. */
    boolean isExhausted();
  }
}
