package dev.gdn.kernels.vector;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import dev.gdn.core.tensor.DataType;
import dev.gdn.core.tensor.WeightMatrix;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class WeightDecoderTest {
  @ParameterizedTest
  @EnumSource(names = "Q4_0", mode = EnumSource.Mode.EXCLUDE)
  void decodesAsThePlainLoopDoes(DataType type) {
    int columns = type.blockElements() == 1 ? 71 : 160;
    WeightMatrix matrix = RandomWeights.matrix(type, 2, columns, 1);
    float[] expected = new float[columns + 3];
    float[] actual = new float[columns + 3];

    matrix.decodeRow(1, expected, 3);
    WeightDecoder.decode(type, matrix.data(), matrix.rowBytes(), actual, 3, columns);

    assertArrayEquals(expected, actual);
  }

  @Test
  void knowsEveryBinary16() {
    byte[] bytes = new byte[2 << 16];
    float[] expected = new float[1 << 16];
    for (int i = 0; i < 1 << 16; i++) {
      bytes[2 * i] = (byte) i;
      bytes[2 * i + 1] = (byte) (i >> 8);
      expected[i] = Float.float16ToFloat((short) i);
    }
    float[] actual = new float[1 << 16];

    WeightDecoder.decode(DataType.F16, MemorySegment.ofArray(bytes), 0, actual, 0, 1 << 16);

    for (int i = 0; i < 1 << 16; i++) {
      if (Float.isNaN(expected[i]) && Float.isNaN(actual[i])) {
        actual[i] = expected[i];
      }
    }
    assertArrayEquals(expected, actual);
  }
}
