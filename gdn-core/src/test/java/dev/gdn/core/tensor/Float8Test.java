package dev.gdn.core.tensor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class Float8Test {
  /** The format's corners, as its description lists them. */
  @ParameterizedTest
  @CsvSource({
    "00, 0",
    "80, -0.0",
    "01, 0x1p-9",
    "07, 0x1.cp-7",
    "08, 0x1p-6",
    "38, 1",
    "B8, -1",
    "3C, 1.5",
    "40, 2",
    "7E, 448",
    "FE, -448",
    "7F, NaN",
    "FF, NaN"
  })
  void cornersAreTheFormats(String code, float value) {
    assertEquals(value, Float8.toFloat((byte) Integer.parseInt(code, 16)));
  }

  /** Codes are ordered as their numbers: each gap is the last place of the smaller one. */
  @Test
  void everyCodeFollowsTheOneBefore() {
    for (int code = 1; code < 0x7F; code++) {
      float gap = Float8.toFloat((byte) code) - Float8.toFloat((byte) (code - 1));
      int exponent = Math.max(1, code - 1 >> 3);
      assertEquals((float) Math.pow(2, exponent - 10), gap, "code " + code);
    }
  }

  @Test
  void theUpperHalfIsNegative() {
    for (int code = 0; code < 0x7F; code++) {
      assertEquals(-Float8.toFloat((byte) code), Float8.toFloat((byte) (code | 0x80)));
    }
    assertTrue(Float.isNaN(Float8.toFloat((byte) 0xFF)));
  }
}
