package dev.gdn.core.batch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Summaries as bytes, which may come from another machine. */
class ShardSummaryTest {
  private static final float[] ONE = {0.5f};

  @Test
  void theSmallestComesBack() {
    ShardSummary back =
        ShardSummary.fromBytes(
            new ShardSummary(1, 1, 1, ONE, new float[] {2}, new float[] {3}).toBytes());
    assertEquals(1, back.heads());
    assertArrayEquals(ONE, back.transition());
    assertArrayEquals(new float[] {2}, back.valueDecays());
    assertArrayEquals(new float[] {3}, back.state());
  }

  /** Sizes whose products are too small, too large, negative, or overflow to what fits. */
  @ParameterizedTest
  @CsvSource({
    "0, 1, 1",
    "1, 0, 1",
    "1, 1, 0",
    "-1, 1, 1",
    "1, -1, -1",
    "-1, -1, 1",
    "2, 1, 1",
    "1, 2, 1",
    "1, 1, 2",
    "2147483647, 2147483647, 2147483647",
    "65536, 65536, 1",
    "1, 65536, 65536",
    "1073741824, 2, 1",
    "1, 46341, 1",
    "-2147483648, -2147483648, -2147483648"
  })
  void sizesOfOtherBytesAreRefused(int heads, int keyWidth, int valueWidth) {
    byte[] bytes = new ShardSummary(1, 1, 1, ONE, ONE, ONE).toBytes();
    ByteBuffer.wrap(bytes)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(8, heads)
        .putInt(12, keyWidth)
        .putInt(16, valueWidth);
    refused(
        () -> ShardSummary.fromBytes(bytes),
        "summary of %d heads of %d x %d: ".formatted(heads, keyWidth, valueWidth));
  }

  @Test
  void aHeaderAloneIsRefused() {
    byte[] bytes = new ShardSummary(1, 1, 1, ONE, ONE, ONE).toBytes();
    byte[] header = Arrays.copyOf(bytes, 24);
    refused(() -> ShardSummary.fromBytes(header), "bytes, found 24");
    byte[] shorter = Arrays.copyOf(bytes, 23);
    refused(() -> ShardSummary.fromBytes(shorter), "expected at least 24 bytes, found 23");
  }

  @Test
  void sizesAndArraysBelongTogether() {
    refused(() -> new ShardSummary(1, 0, 1, new float[0], ONE, new float[0]), "1 heads of 0 x 1");
    refused(() -> new ShardSummary(1, 1, 0, ONE, new float[0], new float[0]), "1 heads of 1 x 0");
    refused(() -> new ShardSummary(1, 1, 1, new float[2], ONE, ONE), "transition: expected 1");
    refused(() -> new ShardSummary(1, 1, 1, ONE, ONE, new float[2]), "state: expected 1");
  }

  private static void refused(Runnable call, String part) {
    String message = assertThrows(IllegalArgumentException.class, call::run).getMessage();
    assertTrue(message.contains(part), message);
  }
}
