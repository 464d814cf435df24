package dev.gdn.model.gguf;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gdn.core.tensor.BlockEncoder;
import dev.gdn.core.tensor.DataType;
import dev.gdn.core.tensor.Shape;
import dev.gdn.core.tensor.StoredTensor;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.util.Base64;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Stored blocks against the values that GGML's Python package gives them. */
class DequantisationTest {
  private static JsonNode reference;

  @BeforeAll
  static void read() throws IOException {
    try (InputStream in = DequantisationTest.class.getResourceAsStream("/gguf/dequant.json")) {
      reference = new ObjectMapper().readTree(in);
    }
  }

  @ParameterizedTest
  @EnumSource(value = DataType.class, mode = Mode.EXCLUDE, names = "F32")
  void randomBlocksAreTheReferencesBitForBit(DataType type) throws IOException {
    byte[] raw = Base64.getDecoder().decode(reference.get(type.name()).get("raw").asText());
    JsonNode values = reference.get(type.name()).get("values");
    float[] expected = new float[values.size()];
    for (int i = 0; i < expected.length; i++) {
      expected[i] = (float) values.get(i).asDouble();
    }
    Shape shape = new Shape(expected.length);
    float[] actual = new StoredTensor("raw", type, shape, MemorySegment.ofArray(raw)).toFloats();
    assertArrayEquals(expected, actual);
  }

  @ParameterizedTest
  @EnumSource(DataType.class)
  void encodingMissesByHalfAStepAtMost(DataType type) {
    SplittableRandom random = new SplittableRandom(7);
    float[] values = new float[32 * 64];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) random.nextDouble(-2, 2);
    }
    MemorySegment encoded = MemorySegment.ofArray(new byte[(int) type.bytes(values.length)]);
    BlockEncoder.encode(type, values, 0, values.length, encoded, 0);
    float[] back = new StoredTensor("encoded", type, new Shape(values.length), encoded).toFloats();
    double worst = 0;
    for (int i = 0; i < values.length; i++) {
      worst = Math.max(worst, Math.abs(values[i] - back[i]));
    }
    // Of numbers up to 2. One end of Q4_0's range, -8 to 7, is cut by up to one step.
    double step =
        switch (type) {
          case F32 -> 0;
          case F16 -> 2.0 / 2048;
          case BF16 -> 2.0 / 256;
          case Q8_0 -> 2.0 / 127;
          case Q4_0 -> 2 * 2.0 / 8;
        };
    assertTrue(worst <= 0.51 * step, type + " missed by " + worst);
    assertTrue(type == DataType.F32 ? worst == 0 : worst > 0.2 * step, type + " by " + worst);
  }

  @ParameterizedTest
  @EnumSource(DataType.class)
  void zerosStayZeros(DataType type) {
    MemorySegment encoded = MemorySegment.ofArray(new byte[(int) type.bytes(32)]);
    BlockEncoder.encode(type, new float[32], 0, 32, encoded, 0);
    float[] back = new StoredTensor("zeros", type, new Shape(32), encoded).toFloats();
    for (float value : back) {
      assertEquals(0, value, 0);
    }
  }
}
