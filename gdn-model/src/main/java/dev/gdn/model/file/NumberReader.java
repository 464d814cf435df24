package dev.gdn.model.file;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ReadableByteChannel;
import java.util.zip.CRC32C;

/**
 * Reads what a {@link NumberWriter} wrote. How much is read is the caller's to bound. Used by one
 * thread.
 */
public final class NumberReader {
  /** All of its bits are set in infinities and NaN alone. */
  private static final int HALF_EXPONENT = 0x7c00;

  private final ReadableByteChannel channel;
  private final ByteBuffer buffer = ByteBuffer.allocate(1 << 16).order(ByteOrder.LITTLE_ENDIAN);
  private final CRC32C checksum = new CRC32C();
  private boolean finite = true;

  /** A reader of an open channel, which it does not close. */
  public NumberReader(ReadableByteChannel channel) {
    this.channel = channel;
    buffer.flip();
  }

  /**
   * Reads as many bytes.
   *
   * @throws EOFException if there are fewer
   */
  public byte[] bytes(int count) throws IOException {
    byte[] values = new byte[count];
    for (int at = 0; at < count; ) {
      int n = Math.min(ready(Byte.BYTES), count - at);
      take(n).get(values, at, n);
      at += n;
    }
    return values;
  }

  /**
   * Reads one number.
   *
   * @throws EOFException if there is none
   */
  public int integer() throws IOException {
    ready(Integer.BYTES);
    return take(Integer.BYTES).getInt();
  }

  /**
   * Reads {@code count} numbers.
   *
   * @throws EOFException if there are fewer
   */
  public int[] integers(int count) throws IOException {
    int[] values = new int[count];
    for (int i = 0; i < count; i++) {
      values[i] = integer();
    }
    return values;
  }

  /**
   * Fills {@code count} elements from {@code at} on.
   *
   * @throws EOFException if there are fewer
   */
  public void floats(float[] values, int at, int count) throws IOException {
    for (int done = 0; done < count; ) {
      int n = Math.min(ready(Float.BYTES) / Float.BYTES, count - done);
      take(n * Float.BYTES).asFloatBuffer().get(values, at + done, n);
      done += n;
    }
    for (int i = at; i < at + count; i++) {
      finite &= Float.isFinite(values[i]);
    }
  }

  /**
   * Fills {@code count} elements from {@code at} on with binary16 numbers.
   *
   * @throws EOFException if there are fewer
   */
  public void halves(short[] values, int at, int count) throws IOException {
    for (int done = 0; done < count; ) {
      int n = Math.min(ready(Short.BYTES) / Short.BYTES, count - done);
      take(n * Short.BYTES).asShortBuffer().get(values, at + done, n);
      done += n;
    }
    for (int i = at; i < at + count; i++) {
      finite &= (values[i] & HALF_EXPONENT) != HALF_EXPONENT;
    }
  }

  /** Whether all floats and halves so far are finite numbers. */
  public boolean isFinite() {
    return finite;
  }

  /**
   * Reads the checksum at the end.
   *
   * @return whether it is that of all bytes so far
   * @throws EOFException if there is none
   */
  public boolean finish() throws IOException {
    int expected = (int) checksum.getValue();
    return integer() == expected;
  }

  // The next bytes, of the buffer, which goes on after them.
  private ByteBuffer take(int bytes) {
    ByteBuffer taken = buffer.slice(buffer.position(), bytes).order(ByteOrder.LITTLE_ENDIAN);
    checksum.update(taken.duplicate());
    buffer.position(buffer.position() + bytes);
    return taken;
  }

  // Bytes in the buffer, at least `bytes`.
  private int ready(int bytes) throws IOException {
    if (buffer.remaining() < bytes) {
      buffer.compact();
      while (buffer.position() < bytes) {
        if (channel.read(buffer) < 0) {
          throw new EOFException("the file ends early");
        }
      }
      buffer.flip();
    }
    return buffer.remaining();
  }
}
