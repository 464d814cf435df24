package dev.gdn.model.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.WritableByteChannel;
import java.util.zip.CRC32C;

/**
 * Writes numbers to a channel, little-endian, through a buffer, and keeps a checksum of them. Used
 * by one thread.
 */
public final class NumberWriter {
  private final WritableByteChannel channel;
  private final ByteBuffer buffer = ByteBuffer.allocate(1 << 16).order(ByteOrder.LITTLE_ENDIAN);
  private final CRC32C checksum = new CRC32C();

  /** A writer to an open channel, which it does not close. */
  public NumberWriter(WritableByteChannel channel) {
    this.channel = channel;
  }

  /** Writes one byte after the other. */
  public void bytes(byte[] values) throws IOException {
    for (int at = 0; at < values.length; ) {
      int n = Math.min(room(Byte.BYTES), values.length - at);
      buffer.put(values, at, n);
      at += n;
    }
  }

  /** Writes one number. */
  public void integer(int value) throws IOException {
    room(Integer.BYTES);
    buffer.putInt(value);
  }

  /** Writes the first {@code count} numbers. */
  public void integers(int[] values, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      integer(values[i]);
    }
  }

  /** Writes {@code count} numbers from {@code at} on. */
  public void floats(float[] values, int at, int count) throws IOException {
    for (int done = 0; done < count; ) {
      int n = Math.min(room(Float.BYTES) / Float.BYTES, count - done);
      buffer.asFloatBuffer().put(values, at + done, n);
      buffer.position(buffer.position() + n * Float.BYTES);
      done += n;
    }
  }

  /** Writes {@code count} binary16 numbers from {@code at} on. */
  public void halves(short[] values, int at, int count) throws IOException {
    for (int done = 0; done < count; ) {
      int n = Math.min(room(Short.BYTES) / Short.BYTES, count - done);
      buffer.asShortBuffer().put(values, at + done, n);
      buffer.position(buffer.position() + n * Short.BYTES);
      done += n;
    }
  }

  /** Writes the CRC-32C of all bytes so far, which is the end. */
  public void finish() throws IOException {
    flush();
    buffer.putInt((int) checksum.getValue());
    flush();
  }

  // Bytes that are free, at least `bytes`.
  private int room(int bytes) throws IOException {
    if (buffer.remaining() < bytes) {
      flush();
    }
    return buffer.remaining();
  }

  private void flush() throws IOException {
    buffer.flip();
    checksum.update(buffer.duplicate());
    while (buffer.hasRemaining()) {
      channel.write(buffer);
    }
    buffer.clear();
  }
}
