package dev.gdn.core.tensor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

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
    assertEquals(0x7F80, bfloat16(0x7F7FFFFF));
    assertEquals(0xFF80, bfloat16(0xFF800000));
  }

  /** One whose payload is in the lower half would else become an infinity. */
  @Test
  void whatIsNoNumberStaysNone() {
    assertEquals(0x7FC0, bfloat16(0x7F800001));
    assertEquals(0xFFC1, bfloat16(0xFFC1FFFF));
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
}
