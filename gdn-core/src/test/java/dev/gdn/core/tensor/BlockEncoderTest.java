package dev.gdn.core.tensor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Rounding and the choice among equals, which the files of other programs have the same way. */
class BlockEncoderTest {
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private static final Set<DataType> READ_ONLY =
      EnumSet.of(
          DataType.Q2_K,
          DataType.Q3_K,
          DataType.IQ4_NL,
          DataType.IQ4_XS,
          DataType.MXFP4,
          DataType.F8_E4M3);

  private static MemorySegment encode(DataType type, float... values) {
    MemorySegment target = MemorySegment.ofArray(new byte[(int) type.bytes(values.length)]);
    BlockEncoder.encode(type, values, 0, values.length, target, 0);
    return target;
  }

  private static int bfloat16(int bits) {
    return encode(DataType.BF16, Float.intBitsToFloat(bits)).get(SHORT, 0) & 0xFFFF;
  }

  @Test
  void bfloat16IsTheNearestNumberAndOfTwoTheEvenOne() {
    assertEquals(0x3F80, bfloat16(0x3F807FFF));
    assertEquals(0x3F80, bfloat16(0x3F808000));
    assertEquals(0x3F81, bfloat16(0x3F808001));
    assertEquals(0x3F82, bfloat16(0x3F818000));
    assertEquals(0xBF82, bfloat16(0xBF818000));
    assertEquals(0x7F7F, bfloat16(0x7F7F7FFF));
    assertEquals(0xFF7F, bfloat16(0xFF7F0001));
  }

  @Test
  void tiesAreRoundedAwayFromZero() {
    float[] values = new float[32];
    values[0] = 127;
    values[1] = 0.5f;
    values[2] = -0.5f;
    values[3] = 1.5f;
    values[4] = -2.25f;
    MemorySegment block = encode(DataType.Q8_0, values);
    int[] expected = {127, 1, -1, 2, -2, 0};
    for (int i = 0; i < expected.length; i++) {
      assertEquals(expected[i], block.get(ValueLayout.JAVA_BYTE, 2 + i));
    }
  }

  @Test
  void ofTwoOfTheLargestMagnitudeTheFirstDecides() {
    float[] values = new float[32];
    values[3] = 1;
    values[5] = -1;
    MemorySegment block = encode(DataType.Q4_0, values);
    assertEquals(-0.125f, Float.float16ToFloat(block.get(SHORT, 0)));
  }

  @ParameterizedTest
  @EnumSource(DataType.class)
  void aTypeIsWrittenOrRefusedByName(DataType type) {
    assertEquals(!READ_ONLY.contains(type), BlockEncoder.encodes(type));
    float[] values = new float[256];
    if (BlockEncoder.encodes(type)) {
      encode(type, values);
    } else {
      String message =
          assertThrows(IllegalArgumentException.class, () -> encode(type, values)).getMessage();
      assertTrue(message.contains(type + " can be read but not written"), message);
    }
  }

  /** Where the type ends: the largest number that is taken, and the next, that is not. */
  private static float largest(DataType type) {
    float bound =
        switch (type) {
          case F32 -> Float.POSITIVE_INFINITY;
          case BF16 -> 0x1.FFp127f;
          case F16, Q4_1, Q5_1 -> 65520f;
          case Q8_0 -> 65520f * 127;
          case Q4_0 -> 65520f * 8;
          case Q5_0 -> 65520f * 16;
          case Q4_K, Q5_K -> 65520f * 31.5f;
          case Q6_K -> 65520f * 2048;
          default -> throw new AssertionError(type);
        };
    return Math.nextDown(bound);
  }

  static List<DataType> encoded() {
    return Arrays.stream(DataType.values()).filter(BlockEncoder::encodes).toList();
  }

  @ParameterizedTest
  @MethodSource("encoded")
  void whatIsNoFiniteNumberIsRefusedWhereverItStands(DataType type) {
    float[] bad = {
      Float.NaN, Float.intBitsToFloat(0xFF800001), Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY
    };
    for (float found : bad) {
      for (int place : new int[] {0, 31, 32, 255, 256, 511}) {
        float[] values = ramp();
        values[place] = found;
        MemorySegment target = MemorySegment.ofArray(new byte[(int) type.bytes(values.length)]);
        String message = refusal(type, values, target);
        assertTrue(message.startsWith("element " + place + ": "), message);
        assertTrue(message.contains("finite number to store as " + type), message);
        assertTrue(message.endsWith("found " + found), message);
        assertEquals(-1, target.mismatch(MemorySegment.ofArray(new byte[(int) target.byteSize()])));
      }
    }
  }

  private static float[] ramp() {
    float[] values = new float[512];
    for (int i = 0; i < values.length; i++) {
      values[i] = (i - 200) * 0.01f;
    }
    return values;
  }

  private static String refusal(DataType type, float[] values, MemorySegment target) {
    return assertThrows(
            UnencodableException.class,
            () -> BlockEncoder.encode(type, values, 0, values.length, target, 0))
        .getMessage();
  }

  /** A scale that overflows would make infinities, or NaN, of the whole block. */
  @ParameterizedTest
  @MethodSource("encoded")
  void whatIsTakenStaysFiniteAndWhatIsTooLargeIsRefused(DataType type) {
    for (int sign : new int[] {1, -1}) {
      for (boolean wholeBlock : new boolean[] {false, true}) {
        float[] values = ramp();
        float most = sign * largest(type);
        if (wholeBlock) {
          Arrays.fill(values, 256, 512, most);
        }
        values[300] = most;
        values[301] = -most;
        MemorySegment encoded = encode(type, values);
        float[] back = new float[values.length];
        BlockDecoder.decode(type, encoded, 0, back, 0, back.length);
        for (int i = 0; i < back.length; i++) {
          assertTrue(Float.isFinite(back[i]), type + " element " + i + ": " + back[i]);
        }
        assertEquals(1, back[300] / most, 0.2, type.toString());
        values[300] = sign * Math.nextUp(largest(type));
        String message = refusal(type, values, encoded);
        assertTrue(message.startsWith("element 300: "), message);
        assertTrue(message.contains("store as " + type + ", found " + values[300]), message);
      }
    }
  }
}
