package dev.gdn.core.tensor;

import java.util.Objects;

/**
 * A strided view of activations, {@code [tokens, heads, width]}, over a {@code float[]}. Element
 * {@code (t, h, i)} stands at {@code offset + t * tokenStride + h * headStride + i}. How many
 * tokens count is said by the call that uses the view. The view is immutable; what it shows is not,
 * and is used by one thread at a time.
 *
 * @param data the numbers
 * @param offset index of the first element
 * @param tokenStride elements from one token to the next, at least 0
 * @param heads heads of one token, at least 1
 * @param headStride elements from one head to the next, at least 0
 * @param width elements of one head, at least 1
 */
public record TokenTensor(
    float[] data, int offset, int tokenStride, int heads, int headStride, int width) {
  /**
   * @throws IllegalArgumentException if a number is out of its range
   */
  public TokenTensor {
    Objects.requireNonNull(data, "data");
    if (offset < 0 || tokenStride < 0 || heads < 1 || headStride < 0 || width < 1) {
      throw new IllegalArgumentException(
          "bad view: offset %d, token stride %d, heads %d, head stride %d, width %d"
              .formatted(offset, tokenStride, heads, headStride, width));
    }
  }

  /** Contiguous {@code [tokens, width]}. */
  public static TokenTensor of(float[] data, int width) {
    return new TokenTensor(data, 0, width, 1, width, width);
  }

  /** Contiguous {@code [tokens, heads, width]}. */
  public static TokenTensor of(float[] data, int heads, int width) {
    return new TokenTensor(data, 0, Math.multiplyExact(heads, width), heads, width, width);
  }

  /** New zeros, {@code [tokens, width]}. */
  public static TokenTensor zeros(int tokens, int width) {
    return of(new float[Math.multiplyExact(tokens, width)], width);
  }

  /** The columns from {@code from} on of a one-head view, as {@code heads} heads side by side. */
  public TokenTensor columns(int from, int heads, int width) {
    if (this.heads != 1 || from < 0 || (long) from + (long) heads * width > this.width) {
      throw new IllegalArgumentException(
          "columns %d + %d x %d of a view of %d x %d"
              .formatted(from, heads, width, this.heads, this.width));
    }
    return new TokenTensor(data, offset + from, tokenStride, heads, width, width);
  }

  /** The same numbers with the first {@code tokens} tokens left out. */
  public TokenTensor from(int tokens) {
    return new TokenTensor(
        data,
        Math.addExact(offset, Math.multiplyExact(tokens, tokenStride)),
        tokenStride,
        heads,
        headStride,
        width);
  }

  /** Index of the first element of head {@code head} of token {@code token}. */
  public int at(int token, int head) {
    return offset + token * tokenStride + head * headStride;
  }

  /** Index of the first element of token {@code token}. */
  public int at(int token) {
    return offset + token * tokenStride;
  }

  /** Whether the view has this shape and its array holds this many tokens. */
  public boolean fits(int tokens, int heads, int width) {
    return this.heads == heads
        && this.width == width
        && tokens >= 0
        && (tokens == 0 || end(tokens) <= data.length);
  }

  private long end(int tokens) {
    return offset + (tokens - 1L) * tokenStride + (heads - 1L) * headStride + width;
  }

  /**
   * Checks that the view has this shape and that its array holds this many tokens.
   *
   * @param what names the view in the message
   * @throws IllegalArgumentException naming what was found and what was expected
   */
  public void check(String what, int tokens, int heads, int width) {
    if (this.heads != heads || this.width != width) {
      throw new IllegalArgumentException(
          "%s: expected %d heads of width %d, found %d of %d"
              .formatted(what, heads, width, this.heads, this.width));
    }
    if (tokens < 0) {
      throw new IllegalArgumentException(what + ": negative token count " + tokens);
    }
    if (tokens > 0 && end(tokens) > data.length) {
      throw new IllegalArgumentException(
          "%s: %d tokens end at element %d of an array of %d"
              .formatted(what, tokens, end(tokens), data.length));
    }
  }

  /** Two views are equal only if they show the same array in the same way. */
  @Override
  public boolean equals(Object other) {
    return other instanceof TokenTensor t
        && data == t.data
        && offset == t.offset
        && tokenStride == t.tokenStride
        && heads == t.heads
        && headStride == t.headStride
        && width == t.width;
  }

  @Override
  public int hashCode() {
    return Objects.hash(
        System.identityHashCode(data), offset, tokenStride, heads, headStride, width);
  }

  @Override
  public String toString() {
    return "TokenTensor[offset=%d, tokenStride=%d, heads=%d, headStride=%d, width=%d]"
        .formatted(offset, tokenStride, heads, headStride, width);
  }
}
