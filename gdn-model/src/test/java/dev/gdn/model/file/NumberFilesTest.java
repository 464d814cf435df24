package dev.gdn.model.file;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.Channels;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Numbers of all kinds, more than a buffer of them, at odd places. */
class NumberFilesTest {
  private static final int MANY = 40_001;

  private final float[] floats = new float[MANY + 3];
  private final short[] shorts = new short[MANY + 5];

  NumberFilesTest() {
    for (int i = 0; i < MANY; i++) {
      floats[i + 3] = i * 0.5f;
      shorts[i + 5] = (short) (i * 3);
    }
  }

  private byte[] written() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    NumberWriter out = new NumberWriter(Channels.newChannel(bytes));
    out.bytes(new byte[] {1, 2, 3});
    out.floats(floats, 3, MANY);
    out.integer(-5);
    out.halves(shorts, 5, MANY);
    out.bytes(new byte[100_000]);
    out.integers(new int[] {6, 7, 8}, 2);
    out.finish();
    return bytes.toByteArray();
  }

  private boolean read(byte[] file) throws IOException {
    NumberReader in = new NumberReader(Channels.newChannel(new ByteArrayInputStream(file)));
    assertEquals(3, in.bytes(3).length);
    float[] readFloats = new float[floats.length];
    in.floats(readFloats, 3, MANY);
    int number = in.integer();
    short[] readShorts = new short[shorts.length];
    in.halves(readShorts, 5, MANY);
    in.bytes(100_000);
    int[] numbers = in.integers(2);
    if (!in.finish()) {
      return false;
    }
    assertArrayEquals(floats, readFloats);
    assertArrayEquals(shorts, readShorts);
    assertEquals(-5, number);
    assertArrayEquals(new int[] {6, 7}, numbers);
    return true;
  }

  @Test
  void numbersThatAreNotFiniteAreNoticed() throws IOException {
    short[] bad = {0x7c00, (short) 0xfc00, 0x7c01, (short) 0xffff};
    for (short half : bad) {
      assertFalse(isFinite(Float.float16ToFloat(half), (short) 0x7bff), "float of " + half);
      assertFalse(isFinite(Float.MAX_VALUE, half), "half " + half);
    }
    assertTrue(isFinite(-Float.MAX_VALUE, (short) 0xfbff));
  }

  private static boolean isFinite(float number, short half) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    NumberWriter out = new NumberWriter(Channels.newChannel(bytes));
    out.floats(new float[] {1, number, 2}, 0, 3);
    out.halves(new short[] {1, half, 2}, 0, 3);
    out.finish();
    NumberReader in =
        new NumberReader(Channels.newChannel(new ByteArrayInputStream(bytes.toByteArray())));
    in.floats(new float[5], 1, 3);
    in.halves(new short[5], 1, 3);
    return in.isFinite();
  }

  @Test
  void whatIsWrittenIsRead() throws IOException {
    byte[] file = written();
    assertEquals(3 + 4 * MANY + 4 + 2 * MANY + 100_000 + 8 + 4, file.length);
    assertEquals(1, file[0]);
    // Little-endian.
    assertEquals(0.5f, Float.intBitsToFloat(file[10] << 24 | file[9] << 16));
    assertTrue(read(file));
  }

  @Test
  void everyFlippedBitIsSeen() throws IOException {
    byte[] file = written();
    for (int at = 0; at < file.length; at += 9973) {
      file[at] ^= 16;
      assertFalse(read(file), "byte " + at);
      file[at] ^= 16;
    }
  }

  @Test
  void anEarlyEndIsAnException() throws IOException {
    byte[] file = written();
    for (int length : new int[] {0, 2, 50_001, file.length - 1}) {
      assertThrows(EOFException.class, () -> read(Arrays.copyOf(file, length)));
    }
  }
}
