package dev.gdn.model.gguf;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gdn.core.tensor.BlockEncoder;
import dev.gdn.core.tensor.DataType;
import dev.gdn.core.tensor.Shape;
import dev.gdn.core.tensor.StoredTensor;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.MethodSource;

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
  @EnumSource(
      value = DataType.class,
      mode = Mode.EXCLUDE,
      names = {"F32", "MXFP4", "F8_E4M3"})
  void randomBlocksAreTheReferencesBitForBit(DataType type) throws IOException {
    byte[] raw = Base64.getDecoder().decode(reference.get(type.name()).get("raw").asText());
    JsonNode values = reference.get(type.name()).get("values");
    float[] expected = new float[values.size()];
    for (int i = 0; i < expected.length; i++) {
      expected[i] = (float) values.get(i).asDouble();
    }
    assertArrayEquals(expected, decoded(type, raw, expected.length));
  }

  // There are no raw blocks of the reference: these are the numbers of the OCP specification, 2^(e
  // -
  // 127) times one of eight magnitudes. An exponent of 255, a NaN there, is a number for GGML.
  @Test
  void microscalingBlocksAreThoseOfTheSpecification() {
    double[] magnitudes = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
    for (int exponent : new int[] {0, 1, 2, 100, 127, 130, 200, 252}) {
      byte[] block = new byte[17];
      float[] expected = new float[32];
      block[0] = (byte) exponent;
      for (int j = 0; j < 16; j++) {
        block[1 + j] = (byte) (15 - j << 4 | j);
        double low = magnitudes[j % 8] * Math.pow(2, exponent - 127);
        double high = magnitudes[(15 - j) % 8] * Math.pow(2, exponent - 127);
        expected[j] = (float) (j < 8 ? low : -low);
        expected[16 + j] = (float) (j < 8 ? -high : high);
      }
      // The table has no negative zero.
      expected[8] = 0;
      expected[16 + 7] = 0;
      assertArrayEquals(expected, decoded(DataType.MXFP4, block, 32), "exponent " + exponent);
    }
  }

  private static float[] decoded(DataType type, byte[] raw, int count) {
    return new StoredTensor("raw", type, new Shape(count), MemorySegment.ofArray(raw)).toFloats();
  }

  private static float[] roundTrip(DataType type, float[] values) {
    byte[] encoded = new byte[Math.toIntExact(type.bytes(values.length))];
    BlockEncoder.encode(type, values, 0, values.length, MemorySegment.ofArray(encoded), 0);
    return decoded(type, encoded, values.length);
  }

  static List<DataType> encoded() {
    return Arrays.stream(DataType.values()).filter(BlockEncoder::encodes).toList();
  }

  @ParameterizedTest
  @MethodSource("encoded")
  void encodingMissesByHalfAStepAtMost(DataType type) {
    SplittableRandom random = new SplittableRandom(7);
    float[] values = new float[32 * 64];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) random.nextDouble(-2, 2);
    }
    float[] back = roundTrip(type, values);
    double worst = 0;
    for (int i = 0; i < values.length; i++) {
      worst = Math.max(worst, Math.abs(values[i] - back[i]));
    }
    // Of numbers up to 2. One end of Q4_0's range, -8 to 7, is cut by up to one step; so is that of
    // others without a minimum, and both where the scales fit all numbers best, not the largest.
    double step =
        switch (type) {
          case F32 -> 0;
          case F16 -> 2.0 / 2048;
          case BF16 -> 2.0 / 256;
          case Q8_0 -> 2.0 / 127;
          case Q4_0 -> 2 * 2.0 / 8;
          case Q5_0 -> 2 * 2.0 / 16;
          case Q4_1 -> 4.0 / 15;
          case Q5_1 -> 4.0 / 31;
          case Q4_K -> 2 * 4.0 / 15;
          case Q5_K -> 2 * 4.0 / 31;
          case Q6_K -> 2 * 2.0 / 32;
          case Q2_K, Q3_K, IQ4_NL, IQ4_XS, MXFP4, F8_E4M3 ->
              throw new IllegalArgumentException("" + type);
        };
    assertTrue(worst <= 0.51 * step, type + " missed by " + worst);
    assertTrue(type == DataType.F32 ? worst == 0 : worst > 0.2 * step, type + " by " + worst);
  }

  // Root mean square of what normally distributed numbers are missed by, as a share of Q4_0's,
  // which
  // takes the same space as Q4_K. Groups of 32 are up to six times as large as their neighbours.
  @ParameterizedTest
  @CsvSource({"Q4_1, 0.95", "Q4_K, 0.92", "Q5_0, 0.52", "Q5_K, 0.47", "Q6_K, 0.25", "Q8_0, 0.075"})
  void moreBitsMissByLess(DataType type, double share) {
    SplittableRandom random = new SplittableRandom(8);
    float[] values = new float[256 * 64];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) (random.nextGaussian() * Math.exp((i >> 5) % 8 / 4.0));
    }
    double coarse = relativeError(values, roundTrip(DataType.Q4_0, values));
    double fine = relativeError(values, roundTrip(type, values));
    assertTrue(fine < share * coarse, type + ": " + fine / coarse);
    assertTrue(fine > 0.8 * share * coarse, type + ": " + fine / coarse);
  }

  /** Of each 32 numbers, which have a size of their own. */
  private static double relativeError(float[] values, float[] back) {
    double sum = 0;
    for (int i = 0; i < values.length; i++) {
      double error = (values[i] - back[i]) / Math.exp((i >> 5) % 8 / 4.0);
      sum += error * error;
    }
    return Math.sqrt(sum / values.length);
  }

  @ParameterizedTest
  @MethodSource("encoded")
  void zerosStayZeros(DataType type) {
    for (float value : roundTrip(type, new float[256])) {
      assertEquals(0, value, 0);
    }
  }

  // Numbers of one sign or size, or with one far from the rest, leave parts of the formulas at
  // zero.
  @ParameterizedTest
  @MethodSource("encoded")
  void unusualNumbersAreEncoded(DataType type) {
    for (float constant : new float[] {1, -1, 1e-30f, -300}) {
      float[] values = new float[256];
      Arrays.fill(values, constant);
      assertNear(values, roundTrip(type, values), Math.abs(constant));
      values[17] *= 100;
      assertNear(values, roundTrip(type, values), 100 * Math.abs(constant));
      Arrays.fill(values, 32, 256, 0);
      assertNear(values, roundTrip(type, values), 100 * Math.abs(constant));
    }
  }

  private static void assertNear(float[] expected, float[] actual, float largest) {
    // A number too small for a scale in 16 bits is lost.
    float tolerance = Math.max(0.07f * largest, 1e-5f);
    assertArrayEquals(expected, actual, tolerance);
  }

  @ParameterizedTest
  @EnumSource(DataType.class)
  void typesThatAreOnlyReadAreRefused(DataType type) {
    assumeFalse(BlockEncoder.encodes(type));
    IllegalArgumentException refusal =
        assertThrows(IllegalArgumentException.class, () -> roundTrip(type, new float[256]));
    assertEquals(type + " can be read but not written", refusal.getMessage());
  }
}
