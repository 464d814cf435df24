package dev.gdn.core.tensor;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

class WeightMatrixTest {
  @Test
  void rowsOfPlainTypesAreDecoded() {
    float[] values = {1, -2.5f, 0.15625f, 65504, -0f, 0.5f};
    for (DataType type : new DataType[] {DataType.F32, DataType.F16, DataType.BF16}) {
      ByteBuffer bytes = ByteBuffer.allocate((int) type.bytes(6)).order(ByteOrder.LITTLE_ENDIAN);
      float[] expected = values.clone();
      for (int i = 0; i < values.length; i++) {
        switch (type) {
          case F32 -> bytes.putFloat(values[i]);
          case F16 -> bytes.putShort(Float.floatToFloat16(values[i]));
          default -> {
            int upper = Float.floatToRawIntBits(values[i]) >>> 16;
            bytes.putShort((short) upper);
            expected[i] = Float.intBitsToFloat(upper << 16);
          }
        }
      }
      WeightMatrix matrix = new WeightMatrix("w", type, 2, 3, MemorySegment.ofArray(bytes.array()));
      float[] row = new float[4];
      matrix.decodeRow(1, row, 1);
      assertArrayEquals(new float[] {0, expected[3], expected[4], expected[5]}, row);
    }
  }

  @Test
  void rowsAndMatricesOfAStackAreViews() {
    float[] values = new float[12];
    for (int i = 0; i < values.length; i++) {
      values[i] = i;
    }
    MemorySegment data = MemorySegment.ofArray(values);
    StoredTensor stack = new StoredTensor("s", DataType.F32, new Shape(2, 3, 2), data);
    WeightMatrix second = stack.toMatrices().get(1);
    assertEquals("s[1]", second.name());
    WeightMatrix slice = second.slice(1, 2);
    float[] row = new float[2];
    slice.decodeRow(1, row, 0);
    assertArrayEquals(new float[] {10, 11}, row);
    values[10] = 99;
    slice.decodeRow(1, row, 0);
    assertArrayEquals(new float[] {99, 11}, row);
    assertThrows(IndexOutOfBoundsException.class, () -> second.slice(1, 3));
    StoredTensor matrix = new StoredTensor("m", DataType.F32, new Shape(6, 2), data);
    assertThrows(IllegalArgumentException.class, matrix::toMatrices);
  }

  @Test
  void rowsOfBlocksAreDecoded() {
    ByteBuffer q4 = ByteBuffer.allocate(18).order(ByteOrder.LITTLE_ENDIAN);
    ByteBuffer q8 = ByteBuffer.allocate(34).order(ByteOrder.LITTLE_ENDIAN);
    q4.putShort(Float.floatToFloat16(0.5f));
    q8.putShort(Float.floatToFloat16(-2));
    float[] fours = new float[32];
    float[] eights = new float[32];
    for (int i = 0; i < 16; i++) {
      q4.put((byte) ((15 - i) << 4 | i));
      fours[i] = 0.5f * (i - 8);
      fours[i + 16] = 0.5f * (7 - i);
    }
    for (int i = 0; i < 32; i++) {
      q8.put((byte) (i * 8 - 128));
      eights[i] = -2f * (i * 8 - 128);
    }
    assertArrayEquals(fours, row(DataType.Q4_0, q4));
    assertArrayEquals(eights, row(DataType.Q8_0, q8));
  }

  private static float[] row(DataType type, ByteBuffer bytes) {
    float[] row = new float[32];
    new WeightMatrix("w", type, 1, 32, MemorySegment.ofArray(bytes.array())).decodeRow(0, row, 0);
    return row;
  }

  @Test
  void sizesThatDoNotFitAreRefused() {
    MemorySegment data = MemorySegment.ofArray(new byte[34]);
    assertThrows(
        IllegalArgumentException.class, () -> new WeightMatrix("w", DataType.Q8_0, 1, 31, data));
    assertThrows(
        IllegalArgumentException.class, () -> new WeightMatrix("w", DataType.F32, 3, 3, data));
    WeightMatrix matrix = new WeightMatrix("w", DataType.Q8_0, 1, 32, data);
    assertThrows(IndexOutOfBoundsException.class, () -> matrix.decodeRow(1, new float[32], 0));
    assertThrows(IndexOutOfBoundsException.class, () -> matrix.decodeRow(0, new float[32], 1));
  }
}
