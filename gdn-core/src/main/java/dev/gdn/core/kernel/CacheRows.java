package dev.gdn.core.kernel;

/**
 * Rows of a KV cache as float32: a window on the page where it holds float32, else a copy that is
 * widened into scratch memory of its own. Used by one thread at a time.
 */
public final class CacheRows {
  private float[] scratch = {};
  private float[] data = scratch;
  private int at;

  /** No rows yet. */
  public CacheRows() {}

  /**
   * Shows rows of a page.
   *
   * @param from index of their first number in the page
   * @param n numbers that are read
   * @param capacity numbers that may be looked at from there on without meaning, at least {@code n}
   */
  public void show(CachePage page, int from, int n, int capacity) {
    switch (page) {
      case CachePage.Floats floats -> {
        data = floats.data();
        at = from;
      }
      case CachePage.Halves halves -> {
        if (scratch.length < capacity) {
          scratch = new float[capacity];
        }
        halves.widen(from, scratch, n);
        data = scratch;
        at = 0;
      }
    }
  }

  /** The array that holds the rows. */
  public float[] data() {
    return data;
  }

  /** Index of the first number in {@link #data()}. */
  public int at() {
    return at;
  }
}
