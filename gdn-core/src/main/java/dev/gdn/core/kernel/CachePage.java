package dev.gdn.core.kernel;

/**
 * The keys or the values of one page of a {@link KeyValueCache}, {@code [heads, PAGE, width]}.
 * Other caches may share it: only the rows of tokens that a cache was just {@linkplain
 * KeyValueCache#extend extended} by are to be changed.
 */
public sealed interface CachePage {
  /** Numbers in the page. */
  int length();

  /** Puts {@code n} numbers where {@code at} is. */
  void put(int at, float[] from, int fromAt, int n);

  /** Copies {@code n} numbers from where {@code from} is in another page of the same type. */
  void copy(CachePage other, int from, int at, int n);

  /**
   * A page of {@link KeyValueType#F32}.
   *
   * @param data the numbers
   */
  record Floats(float[] data) implements CachePage {
    @Override
    public int length() {
      return data.length;
    }

    @Override
    public void put(int at, float[] from, int fromAt, int n) {
      System.arraycopy(from, fromAt, data, at, n);
    }

    @Override
    public void copy(CachePage other, int from, int at, int n) {
      System.arraycopy(((Floats) other).data, from, data, at, n);
    }
  }

  /**
   * A page of {@link KeyValueType#F16}.
   *
   * @param data the numbers as binary16
   */
  record Halves(short[] data) implements CachePage {
    private static final float LARGEST = 65504;

    @Override
    public int length() {
      return data.length;
    }

    @Override
    public void put(int at, float[] from, int fromAt, int n) {
      for (int i = 0; i < n; i++) {
        float kept = Math.max(-LARGEST, Math.min(LARGEST, from[fromAt + i]));
        data[at + i] = Float.floatToFloat16(kept);
      }
    }

    @Override
    public void copy(CachePage other, int from, int at, int n) {
      System.arraycopy(((Halves) other).data, from, data, at, n);
    }

    /** Widens {@code n} numbers; a loop that C2 turns into vector conversions. */
    void widen(int at, float[] to, int n) {
      short[] from = data;
      for (int i = 0; i < n; i++) {
        to[i] = Float.float16ToFloat(from[at + i]);
      }
    }
  }
}
