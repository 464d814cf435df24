package dev.gdn.model.schema;

/** A set of byte values. */
final class ByteSet {
  private final long[] bits = new long[4];

  private ByteSet() {}

  /** The values from first to last, 0 to 255. */
  static ByteSet range(int first, int last) {
    ByteSet set = new ByteSet();
    for (int value = first; value <= last; value++) {
      set.bits[value >> 6] |= 1L << value;
    }
    return set;
  }

  /** The values of these ASCII characters. */
  static ByteSet of(String characters) {
    ByteSet set = new ByteSet();
    characters.chars().forEach(value -> set.bits[value >> 6] |= 1L << value);
    return set;
  }

  ByteSet or(ByteSet other) {
    ByteSet set = new ByteSet();
    for (int i = 0; i < bits.length; i++) {
      set.bits[i] = bits[i] | other.bits[i];
    }
    return set;
  }

  ByteSet without(ByteSet other) {
    ByteSet set = new ByteSet();
    for (int i = 0; i < bits.length; i++) {
      set.bits[i] = bits[i] & ~other.bits[i];
    }
    return set;
  }

  boolean isEmpty() {
    return (bits[0] | bits[1] | bits[2] | bits[3]) == 0;
  }

  boolean contains(int value) {
    return (bits[value >> 6] >>> value & 1) != 0;
  }
}
