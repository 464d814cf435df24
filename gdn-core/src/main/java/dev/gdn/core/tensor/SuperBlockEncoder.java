package dev.gdn.core.tensor;

import static dev.gdn.core.tensor.BlockEncoder.putHalf;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** The reverse of {@link SuperBlocks}. Holds scratch memory; not shared. */
final class SuperBlockEncoder {
  private static final int ELEMENTS = 256;
  private static final int GROUPS = 8;
  private static final int GROUP = ELEMENTS / GROUPS;
  private static final int SIX_BITS = 63;
  private static final int SMALL_GROUP = 16;

  private final AffineFit fit = new AffineFit(GROUP);
  private final float[] scales = new float[ELEMENTS / SMALL_GROUP];
  private final float[] minima = new float[GROUPS];
  private final int[] quanta = new int[ELEMENTS];

  void q4(float[] x, int at, MemorySegment target, long to) {
    quantize(x, at, 15, target, to);
    putNibbles(target, to + 16);
  }

  void q5(float[] x, int at, MemorySegment target, long to) {
    quantize(x, at, 31, target, to);
    for (int j = 0; j < GROUP; j++) {
      int fifths = 0;
      for (int group = 0; group < GROUPS; group++) {
        fifths |= quanta[group * GROUP + j] >> 4 << group;
      }
      putByte(target, to + 16 + j, fifths);
    }
    putNibbles(target, to + 48);
  }

  /** Stores scales and minima, and finds the integers that go with them. */
  private void quantize(float[] x, int at, int levels, MemorySegment target, long to) {
    float largestScale = 0;
    float largestMinimum = 0;
    for (int group = 0; group < GROUPS; group++) {
      fit.fit(x, at + group * GROUP, levels);
      scales[group] = fit.scale();
      minima[group] = fit.minimum();
      largestScale = Math.max(largestScale, scales[group]);
      largestMinimum = Math.max(largestMinimum, minima[group]);
    }
    float scale = putHalf(target, to, largestScale / SIX_BITS);
    float minimum = putHalf(target, to + 2, largestMinimum / SIX_BITS);
    int[] factors = new int[GROUPS];
    int[] minimumFactors = new int[GROUPS];
    for (int group = 0; group < GROUPS; group++) {
      factors[group] = quotient(scales[group], scale, 0, SIX_BITS);
      minimumFactors[group] = quotient(minima[group], minimum, 0, SIX_BITS);
      for (int i = group * GROUP; i < (group + 1) * GROUP; i++) {
        float above = x[at + i] + minimum * minimumFactors[group];
        quanta[i] = quotient(above, scale * factors[group], 0, levels);
      }
    }
    putSixBits(factors, minimumFactors, target, to + 4);
  }

  private static void putSixBits(int[] a, int[] b, MemorySegment target, long to) {
    for (int i = 0; i < 4; i++) {
      putByte(target, to + i, a[i] | a[i + 4] >> 4 << 6);
      putByte(target, to + 4 + i, b[i] | b[i + 4] >> 4 << 6);
      putByte(target, to + 8 + i, a[i + 4] & 0xF | (b[i + 4] & 0xF) << 4);
    }
  }

  private void putNibbles(MemorySegment target, long to) {
    for (int i = 0; i < ELEMENTS / 2; i++) {
      int first = i / GROUP * 2 * GROUP + i % GROUP;
      putByte(target, to + i, quanta[first] & 0xF | (quanta[first + GROUP] & 0xF) << 4);
    }
  }

  void q6(float[] x, int at, MemorySegment target, long to) {
    float largest = 0;
    for (int group = 0; group < scales.length; group++) {
      scales[group] = ScaleFit.of(x, at + group * SMALL_GROUP, SMALL_GROUP, 32);
      if (Math.abs(scales[group]) > Math.abs(largest)) {
        largest = scales[group];
      }
    }
    float scale = putHalf(target, to + 208, largest / -128);
    for (int group = 0; group < scales.length; group++) {
      int factor = quotient(scales[group], scale, -128, 127);
      putByte(target, to + 192 + group, factor);
      for (int i = group * SMALL_GROUP; i < (group + 1) * SMALL_GROUP; i++) {
        quanta[i] = quotient(x[at + i], scale * factor, -32, 31) + 32;
      }
    }
    for (int i = 0; i < ELEMENTS / 2; i++) {
      int first = i / 64 * 128 + i % 64;
      putByte(target, to + i, quanta[first] & 0xF | (quanta[first + 64] & 0xF) << 4);
    }
    for (int i = 0; i < ELEMENTS / 4; i++) {
      int first = i / 32 * 128 + i % 32;
      int upper = 0;
      for (int k = 0; k < 4; k++) {
        upper |= quanta[first + 32 * k] >> 4 << 2 * k;
      }
      putByte(target, to + 128 + i, upper);
    }
  }

  /** The nearest integer to a quotient within bounds; the nearest to 0 if it is of 0. */
  private static int quotient(float value, float unit, int least, int most) {
    return unit == 0 ? 0 : Math.clamp(Math.round(value / unit), least, most);
  }

  private static void putByte(MemorySegment target, long to, int value) {
    target.set(ValueLayout.JAVA_BYTE, to, (byte) value);
  }
}
