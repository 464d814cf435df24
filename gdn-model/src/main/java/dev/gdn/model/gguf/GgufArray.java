package dev.gdn.model.gguf;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.ObjIntConsumer;

/**
 * An array of a file's metadata: a view of its checked bytes, decoded when it is asked for. A
 * vocabulary's arrays are long, and opening a file must not wait for them. Reading one of a file
 * that was closed throws {@link IllegalStateException}.
 */
public final class GgufArray {
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final GgufValueType elementType;
  private final int length;
  private final MemorySegment data;

  /**
   * @param data the elements as they are stored; of strings all lengths are checked
   */
  GgufArray(GgufValueType elementType, int length, MemorySegment data) {
    this.elementType = elementType;
    this.length = length;
    this.data = data;
  }

  /** An array of strings to be written. */
  public static GgufArray ofStrings(List<String> strings) {
    List<byte[]> encoded = new ArrayList<>(strings.size());
    long size = 0;
    for (String string : strings) {
      byte[] bytes = string.getBytes(StandardCharsets.UTF_8);
      encoded.add(bytes);
      size += Long.BYTES + bytes.length;
    }
    ByteBuffer buffer = ByteBuffer.allocate(Math.toIntExact(size)).order(ByteOrder.LITTLE_ENDIAN);
    for (byte[] bytes : encoded) {
      buffer.putLong(bytes.length).put(bytes);
    }
    return new GgufArray(
        GgufValueType.STRING, strings.size(), MemorySegment.ofArray(buffer.array()));
  }

  /** An array of INT32 to be written. */
  public static GgufArray ofInts(int... values) {
    MemorySegment data = MemorySegment.ofArray(new byte[Math.multiplyExact(values.length, 4)]);
    MemorySegment.copy(values, 0, data, INT, 0, values.length);
    return new GgufArray(GgufValueType.INT32, values.length, data);
  }

  /** An array of truth values to be written. */
  public static GgufArray ofBooleans(boolean... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (values[i] ? 1 : 0);
    }
    return new GgufArray(GgufValueType.BOOL, values.length, MemorySegment.ofArray(bytes));
  }

  /** How each element is stored. */
  public GgufValueType elementType() {
    return elementType;
  }

  /** Number of elements. */
  public int length() {
    return length;
  }

  /** The bytes of the elements. */
  MemorySegment data() {
    return data;
  }

  /**
   * The elements of an array of strings; bytes that are no UTF-8 become U+FFFD.
   *
   * @throws IllegalStateException if the elements are of another type
   */
  public List<String> strings() {
    List<String> strings = new ArrayList<>();
    forEachString(
        (element, index) ->
            strings.add(
                new String(element.toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8)));
    return strings;
  }

  /**
   * The places in an array of strings where one of some texts stands, in order.
   *
   * @throws IllegalStateException if the elements are of another type
   */
  public List<Integer> indicesOf(Set<String> texts) {
    Set<ByteBuffer> wanted = new HashSet<>();
    Set<Integer> lengths = new HashSet<>();
    for (String text : texts) {
      byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
      wanted.add(ByteBuffer.wrap(encoded));
      lengths.add(encoded.length);
    }
    List<Integer> indices = new ArrayList<>();
    forEachString(
        (element, index) -> {
          if (lengths.contains((int) element.byteSize())
              && wanted.contains(element.asByteBuffer())) {
            indices.add(index);
          }
        });
    return indices;
  }

  private void forEachString(ObjIntConsumer<MemorySegment> action) {
    if (elementType != GgufValueType.STRING) {
      throw wrongType("strings");
    }
    long at = 0;
    for (int i = 0; i < length; i++) {
      int bytes = (int) data.get(LONG, at);
      at += Long.BYTES;
      action.accept(data.asSlice(at, bytes), i);
      at += bytes;
    }
  }

  /**
   * The elements of an array of integers; UINT64 as its bits.
   *
   * @throws IllegalStateException if the elements are of another type
   */
  public long[] longs() {
    long[] values = new long[length];
    for (int i = 0; i < length; i++) {
      values[i] =
          switch (elementType) {
            case UINT8 -> data.get(ValueLayout.JAVA_BYTE, i) & 0xFF;
            case INT8 -> data.get(ValueLayout.JAVA_BYTE, i);
            case UINT16 -> data.get(SHORT, 2L * i) & 0xFFFF;
            case INT16 -> data.get(SHORT, 2L * i);
            case UINT32 -> data.get(INT, 4L * i) & 0xFFFF_FFFFL;
            case INT32 -> data.get(INT, 4L * i);
            case UINT64, INT64 -> data.get(LONG, 8L * i);
            case FLOAT32, BOOL, STRING, ARRAY, FLOAT64 -> throw wrongType("integers");
          };
    }
    return values;
  }

  /**
   * The elements of an array of truth values.
   *
   * @throws IllegalStateException if the elements are of another type
   */
  public boolean[] booleans() {
    if (elementType != GgufValueType.BOOL) {
      throw wrongType("truth values");
    }
    boolean[] values = new boolean[length];
    for (int i = 0; i < length; i++) {
      values[i] = data.get(ValueLayout.JAVA_BYTE, i) != 0;
    }
    return values;
  }

  private IllegalStateException wrongType(String wanted) {
    return new IllegalStateException("expected %s, found %s".formatted(wanted, elementType));
  }
}
