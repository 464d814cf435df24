package dev.gdn.core.kernel;

import dev.gdn.core.tensor.TokenTensor;
import java.util.Arrays;
import java.util.Objects;

/**
 * The keys and values of the tokens so far, in pages of {@value #PAGE} tokens that are allocated as
 * the cache grows: nothing is moved when it does. In a page the tokens of one head stand together,
 * {@code [heads, PAGE, width]}, so that attention streams over them.
 *
 * <p>Caches that are {@linkplain #fork() forked} share their pages until one of them writes to one,
 * which it then copies. A cache is used by one thread at a time; forks of it may be used by others.
 */
public final class KeyValueCache {
  /** Tokens in one page. */
  public static final int PAGE = 256;

  private final KeyValueType type;
  private final int heads;
  private final int keyWidth;
  private final int valueWidth;
  private final boolean oneVector;
  private CachePage[] keys = new CachePage[0];
  private CachePage[] values = new CachePage[0];
  // Which pages no other cache has.
  private boolean[] own = new boolean[0];
  private int length;

  /**
   * An empty cache of one vector for each token, which is its key and its value: one head, and half
   * the memory.
   *
   * @throws IllegalArgumentException if the width is not positive
   */
  public static KeyValueCache ofOneVector(KeyValueType type, int width) {
    return new KeyValueCache(type, 1, width, width, true);
  }

  /**
   * An empty cache.
   *
   * @throws IllegalArgumentException if a size is not positive
   */
  public KeyValueCache(KeyValueType type, int heads, int keyWidth, int valueWidth) {
    this(type, heads, keyWidth, valueWidth, false);
  }

  private KeyValueCache(
      KeyValueType type, int heads, int keyWidth, int valueWidth, boolean oneVector) {
    if (heads < 1 || keyWidth < 1 || valueWidth < 1) {
      throw new IllegalArgumentException(
          "KV cache: bad size, %d heads of %d and %d".formatted(heads, keyWidth, valueWidth));
    }
    this.type = Objects.requireNonNull(type, "type");
    this.heads = heads;
    this.keyWidth = keyWidth;
    this.valueWidth = valueWidth;
    this.oneVector = oneVector;
  }

  /** An empty cache in float32. */
  public KeyValueCache(int heads, int keyWidth, int valueWidth) {
    this(KeyValueType.F32, heads, keyWidth, valueWidth);
  }

  /** How numbers are held. */
  public KeyValueType type() {
    return type;
  }

  /** True if a token's key is also its value. */
  public boolean isOneVector() {
    return oneVector;
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

  /** Pages that hold them. */
  public int pages() {
    return Math.ceilDiv(length, PAGE);
  }

  /** Keys of page {@code page}, {@code [heads, PAGE, keyWidth]}. */
  public CachePage keyPage(int page) {
    return keys[page];
  }

  /** Values of page {@code page}, {@code [heads, PAGE, valueWidth]}. */
  public CachePage valuePage(int page) {
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
    requireOneVector(false);
    own(Math.addExact(length, tokens));
    put(k, keyWidth, keys, tokens);
    put(v, valueWidth, values, tokens);
    length += tokens;
  }

  /**
   * Adds some tokens of another cache at the end.
   *
   * @param from with the same type, heads and widths
   * @param tokens indices in it
   * @param count how many of {@code tokens} count
   * @throws IllegalArgumentException if the caches differ
   * @throws IndexOutOfBoundsException if it has no such token
   */
  public void append(KeyValueCache from, int[] tokens, int count) {
    requireAlike(from);
    Objects.checkFromIndexSize(0, count, tokens.length);
    for (int i = 0; i < count; i++) {
      Objects.checkIndex(tokens[i], from.length);
    }
    own(Math.addExact(length, count));
    for (int i = 0; i < count; i++) {
      copy(from.keys, tokens[i], keyWidth, keys, length + i);
      if (!oneVector) {
        copy(from.values, tokens[i], valueWidth, values, length + i);
      }
    }
    length += count;
  }

  private void copy(CachePage[] pages, int token, int width, CachePage[] target, int to) {
    for (int h = 0; h < heads; h++) {
      target[to / PAGE].copy(
          pages[token / PAGE],
          (h * PAGE + token % PAGE) * width,
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
    requireOneVector(true);
    own(Math.addExact(length, tokens));
    put(keysAndValues, keyWidth, keys, tokens);
    length += tokens;
  }

  private void requireOneVector(boolean one) {
    if (oneVector != one) {
      throw new IllegalArgumentException(
          one
              ? "KV cache: expected keys and values"
              : "KV cache: expected one vector for key and value");
    }
  }

  private void put(TokenTensor x, int width, CachePage[] pages, int tokens) {
    for (int t = 0; t < tokens; t++) {
      int slot = (length + t) % PAGE;
      CachePage page = pages[(length + t) / PAGE];
      for (int h = 0; h < heads; h++) {
        page.put((h * PAGE + slot) * width, x.data(), x.at(t, h), width);
      }
    }
  }

  /**
   * Adds tokens at the end whose keys and values the caller then puts into the pages, all of which
   * are this cache's own from the first new token on.
   *
   * @throws IllegalArgumentException if the number is negative
   */
  public void extend(int tokens) {
    if (tokens < 0) {
      throw new IllegalArgumentException("KV cache: negative token count " + tokens);
    }
    own(Math.addExact(length, tokens));
    length += tokens;
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

  /**
   * A cache that holds the same tokens. The pages are shared until one of the two writes to them,
   * so that this takes the time of copying a reference a page.
   */
  public KeyValueCache fork() {
    KeyValueCache fork = new KeyValueCache(type, heads, keyWidth, valueWidth, oneVector);
    int pages = pages();
    fork.keys = Arrays.copyOf(keys, pages);
    fork.values = Arrays.copyOf(values, pages);
    fork.own = new boolean[pages];
    fork.length = length;
    Arrays.fill(own, 0, pages, false);
    return fork;
  }

  /**
   * Becomes what {@code other} is, whose pages it then shares.
   *
   * @throws IllegalArgumentException if the other holds other sizes or another type
   */
  public void restore(KeyValueCache other) {
    requireAlike(other);
    if (other == this) {
      return;
    }
    KeyValueCache fork = other.fork();
    keys = fork.keys;
    values = fork.values;
    own = fork.own;
    length = fork.length;
  }

  private void requireAlike(KeyValueCache other) {
    if (type != other.type
        || heads != other.heads
        || keyWidth != other.keyWidth
        || valueWidth != other.valueWidth
        || oneVector != other.oneVector) {
      throw new IllegalArgumentException(
          "KV cache: expected %s, found %s".formatted(description(), other.description()));
    }
  }

  private String description() {
    return oneVector
        ? "%s, one vector of %d".formatted(type, keyWidth)
        : "%s, %d heads of %d and %d".formatted(type, heads, keyWidth, valueWidth);
  }

  /**
   * Forgets the tokens from {@code tokens} on; the pages are kept for reuse.
   *
   * @throws IllegalArgumentException if there are fewer
   */
  public void truncate(int tokens) {
    if (tokens < 0 || tokens > length) {
      throw new IllegalArgumentException(
          "KV cache: expected a length from 0 to %d, found %d".formatted(length, tokens));
    }
    length = tokens;
  }

  /** Forgets everything; the pages are kept for reuse. */
  public void clear() {
    length = 0;
  }

  // Makes the pages that tokens up to `tokens` will be written to this cache's own. What there is
  // stays as it is until all new pages are there: memory may run out on the way.
  private void own(int tokens) {
    int first = length / PAGE;
    int pages = Math.ceilDiv(tokens, PAGE);
    boolean ready = pages <= own.length;
    for (int p = first; ready && p < pages; p++) {
      ready = own[p];
    }
    if (ready) {
      return;
    }
    CachePage[] moreKeys = Arrays.copyOf(keys, Math.max(pages, keys.length));
    CachePage[] moreValues = Arrays.copyOf(values, moreKeys.length);
    boolean[] moreOwn = Arrays.copyOf(own, moreKeys.length);
    for (int p = first; p < pages; p++) {
      if (!moreOwn[p]) {
        int used = Math.max(0, length - p * PAGE);
        moreKeys[p] = ownPage(moreKeys[p], keyWidth, used);
        moreValues[p] = oneVector ? moreKeys[p] : ownPage(moreValues[p], valueWidth, used);
        moreOwn[p] = true;
      }
    }
    keys = moreKeys;
    values = moreValues;
    own = moreOwn;
  }

  private CachePage ownPage(CachePage shared, int width, int used) {
    CachePage page = type.page(Math.multiplyExact(heads * PAGE, width));
    for (int h = 0; used > 0 && h < heads; h++) {
      page.copy(shared, h * PAGE * width, h * PAGE * width, used * width);
    }
    return page;
  }
}
