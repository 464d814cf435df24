package dev.gdn.core.kernel;

import dev.gdn.core.tensor.TokenTensor;
import java.util.Arrays;
import java.util.Objects;

/**
 * The keys and values of the tokens so far, float32, in pages of {@value #PAGE} tokens that are
 * allocated as the cache grows: nothing is moved when it does. In a page the tokens of one head
 * stand together, {@code [heads, PAGE, width]}, so that attention streams over them. Used by one
 * thread at a time.
 */
public final class KeyValueCache {
  /** Tokens in one page. */
  public static final int PAGE = 256;

  private final int heads;
  private final int keyWidth;
  private final int valueWidth;
  private final boolean oneVector;
  private float[][] keys = new float[0][];
  private float[][] values = new float[0][];
  private int length;

  /**
   * An empty cache of one vector for each token, which is its key and its value: one head, and half
   * the memory.
   *
   * @throws IllegalArgumentException if the width is not positive
   */
  public static KeyValueCache ofOneVector(int width) {
    return new KeyValueCache(1, width, width, true);
  }

  /**
   * An empty cache.
   *
   * @throws IllegalArgumentException if a size is not positive
   */
  public KeyValueCache(int heads, int keyWidth, int valueWidth) {
    this(heads, keyWidth, valueWidth, false);
  }

  private KeyValueCache(int heads, int keyWidth, int valueWidth, boolean oneVector) {
    if (heads < 1 || keyWidth < 1 || valueWidth < 1) {
      throw new IllegalArgumentException(
          "KV cache: bad size, %d heads of %d and %d".formatted(heads, keyWidth, valueWidth));
    }
    this.heads = heads;
    this.keyWidth = keyWidth;
    this.valueWidth = valueWidth;
    this.oneVector = oneVector;
  }

  /** Key-value heads. */
  public int heads() {
    return heads;
  }

  /** Width of a key. */
  public int keyWidth() {
    return keyWidth;
  }

  /** Width of a value. */
  public int valueWidth() {
    return valueWidth;
  }

  /** Tokens held. */
  public int length() {
    return length;
  }

  /** Keys of page {@code page}, {@code [heads, PAGE, keyWidth]}. */
  public float[] keyPage(int page) {
    return keys[page];
  }

  /** Values of page {@code page}, {@code [heads, PAGE, valueWidth]}. */
  public float[] valuePage(int page) {
    return values[page];
  }

  /**
   * Adds tokens at the end.
   *
   * @param k {@code [tokens, heads, keyWidth]}
   * @param v {@code [tokens, heads, valueWidth]}
   * @throws IllegalArgumentException if a view does not fit
   */
  public void append(TokenTensor k, TokenTensor v, int tokens) {
    k.check("keys", tokens, heads, keyWidth);
    v.check("values", tokens, heads, valueWidth);
    if (oneVector) {
      throw new IllegalArgumentException("KV cache: expected one vector for key and value");
    }
    grow(Math.addExact(length, tokens));
    put(k, keyWidth, keys, tokens);
    put(v, valueWidth, values, tokens);
    length += tokens;
  }

  /**
   * Adds some tokens of another cache at the end.
   *
   * @param from with the same heads and widths
   * @param tokens indices in it
   * @param count how many of {@code tokens} count
   * @throws IllegalArgumentException if the caches differ
   * @throws IndexOutOfBoundsException if it has no such token
   */
  public void append(KeyValueCache from, int[] tokens, int count) {
    if (from.heads != heads
        || from.keyWidth != keyWidth
        || from.valueWidth != valueWidth
        || from.oneVector != oneVector) {
      throw new IllegalArgumentException(
          "KV cache: expected one of %d heads of %d and %d, found %d of %d and %d"
              .formatted(heads, keyWidth, valueWidth, from.heads, from.keyWidth, from.valueWidth));
    }
    Objects.checkFromIndexSize(0, count, tokens.length);
    grow(Math.addExact(length, count));
    for (int i = 0; i < count; i++) {
      int token = Objects.checkIndex(tokens[i], from.length);
      copy(from.keys, token, keyWidth, keys, length + i);
      if (!oneVector) {
        copy(from.values, token, valueWidth, values, length + i);
      }
    }
    length += count;
  }

  private void copy(float[][] pages, int token, int width, float[][] target, int to) {
    for (int h = 0; h < heads; h++) {
      System.arraycopy(
          pages[token / PAGE],
          (h * PAGE + token % PAGE) * width,
          target[to / PAGE],
          (h * PAGE + to % PAGE) * width,
          width);
    }
  }

  /**
   * Adds tokens at the end of a cache {@linkplain #ofOneVector of one vector}.
   *
   * @param keysAndValues {@code [tokens, 1, keyWidth]}
   * @throws IllegalArgumentException if the view does not fit, or keys and values are two
   */
  public void append(TokenTensor keysAndValues, int tokens) {
    keysAndValues.check("keys and values", tokens, heads, keyWidth);
    if (!oneVector) {
      throw new IllegalArgumentException("KV cache: expected keys and values");
    }
    grow(Math.addExact(length, tokens));
    put(keysAndValues, keyWidth, keys, tokens);
    length += tokens;
  }

  private void put(TokenTensor x, int width, float[][] pages, int tokens) {
    for (int t = 0; t < tokens; t++) {
      int slot = (length + t) % PAGE;
      float[] page = pages[(length + t) / PAGE];
      for (int h = 0; h < heads; h++) {
        System.arraycopy(x.data(), x.at(t, h), page, (h * PAGE + slot) * width, width);
      }
    }
  }

  /**
   * Checks that queries and the output of attention fit this cache.
   *
   * @param q {@code [tokens, heads, keyWidth]}, heads a multiple of the cache's
   * @param o {@code [tokens, heads, valueWidth]}
   * @throws IllegalArgumentException naming what does not fit
   */
  public void check(TokenTensor q, TokenTensor o, int tokens) {
    q.check("q", tokens, q.heads(), keyWidth);
    o.check("o", tokens, q.heads(), valueWidth);
    if (q.heads() % heads != 0) {
      throw new IllegalArgumentException(
          "q: expected a multiple of %d heads, found %d".formatted(heads, q.heads()));
    }
    if (length < tokens) {
      throw new IllegalArgumentException(
          "KV cache: expected at least %d tokens, found %d".formatted(tokens, length));
    }
  }

  /** Forgets everything; the pages are kept for reuse. */
  public void clear() {
    length = 0;
  }

  // What there is stays as it is until all new pages are there: memory may run out on the way.
  private void grow(int tokens) {
    int pages = Math.ceilDiv(tokens, PAGE);
    if (pages > keys.length) {
      float[][] moreKeys = Arrays.copyOf(keys, pages);
      float[][] moreValues = Arrays.copyOf(values, pages);
      for (int p = keys.length; p < pages; p++) {
        moreKeys[p] = new float[Math.multiplyExact(heads * PAGE, keyWidth)];
        moreValues[p] =
            oneVector ? moreKeys[p] : new float[Math.multiplyExact(heads * PAGE, valueWidth)];
      }
      keys = moreKeys;
      values = moreValues;
    }
  }
}
