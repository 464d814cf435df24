package dev.gdn.model.gguf;

import dev.gdn.model.error.CheckpointException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Reads a file from front to back and refuses to go past its end. */
final class Cursor {
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final Path path;
  private final MemorySegment file;
  private long position;

  Cursor(Path path, MemorySegment file) {
    this.path = path;
    this.file = file;
  }

  long position() {
    return position;
  }

  long remaining() {
    return file.byteSize() - position;
  }

  byte int8(String subject) {
    return file.get(ValueLayout.JAVA_BYTE, advance(1, subject));
  }

  short int16(String subject) {
    return file.get(SHORT, advance(2, subject));
  }

  int int32(String subject) {
    return file.get(INT, advance(4, subject));
  }

  long int64(String subject) {
    return file.get(LONG, advance(8, subject));
  }

  /** A count of things that take at least so many bytes each, and so has a limit. */
  int count(String subject, int bytesOfOne) {
    long count = int64(subject);
    long most = Math.min(Integer.MAX_VALUE - 8, remaining() / bytesOfOne);
    if (count < 0 || count > most) {
      throw problem(
          subject,
          "count: expected at most %d in the %d bytes left, found %s"
              .formatted(most, remaining(), Long.toUnsignedString(count)));
    }
    return (int) count;
  }

  /** A string; its length stands before it. */
  String string(String subject, int longest) {
    int length = stringLength(subject, longest);
    long from = advance(length, subject);
    byte[] bytes = file.asSlice(from, length).toArray(ValueLayout.JAVA_BYTE);
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException failure) {
      throw new CheckpointException(
          path, subject, "expected UTF-8, found other bytes at " + from, failure);
    }
  }

  /** Passes over an array's elements and returns their bytes. */
  MemorySegment skip(GgufValueType type, int count, String subject, int longest) {
    long from = position;
    if (type == GgufValueType.STRING) {
      for (int i = 0; i < count; i++) {
        advance(stringLength(subject, longest), subject);
      }
    } else {
      advance((long) type.minimumBytes() * count, subject);
    }
    return file.asSlice(from, position - from);
  }

  private int stringLength(String subject, int longest) {
    long length = int64(subject);
    long most = Math.min(longest, remaining());
    if (length < 0 || length > most) {
      throw problem(
          subject,
          "string length: expected at most %d, found %s"
              .formatted(most, Long.toUnsignedString(length)));
    }
    return (int) length;
  }

  private long advance(long bytes, String subject) {
    if (bytes > remaining()) {
      throw problem(
          subject,
          "expected %d more bytes at %d, found the end of the file at %d"
              .formatted(bytes, position, file.byteSize()));
    }
    long from = position;
    position += bytes;
    return from;
  }

  CheckpointException problem(String subject, String problem) {
    return new CheckpointException(path, subject, problem);
  }
}
