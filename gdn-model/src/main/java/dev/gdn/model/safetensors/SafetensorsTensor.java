package dev.gdn.model.safetensors;

import dev.gdn.core.tensor.DataType;
import dev.gdn.core.tensor.Shape;
import dev.gdn.core.tensor.StoredTensor;
import dev.gdn.model.error.CheckpointException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Path;

/**
 * One tensor of a safetensors file: a read-only, row-major view of the mapped bytes. Safe to share.
 * Reading it after the file was closed throws {@link IllegalStateException}.
 *
 * @param file the file it stands in, for messages
 * @param name its name in the file
 * @param type how elements are stored
 * @param shape dimensions, outermost first; none for a scalar
 * @param data exactly the tensor's bytes, little-endian
 */
public record SafetensorsTensor(
    Path file, String name, SafetensorsType type, Shape shape, MemorySegment data) {
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfDouble DOUBLE =
      ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /**
   * This tensor as a weight.
   *
   * @throws CheckpointException if its type is not F32, F16 or BF16
   */
  public StoredTensor toStored() {
    DataType stored =
        switch (type) {
          case F32 -> DataType.F32;
          case F16 -> DataType.F16;
          case BF16 -> DataType.BF16;
          default -> throw wrongType("type F32, F16 or BF16");
        };
    return new StoredTensor(name, stored, shape, data);
  }

  /**
   * All elements; those of F64 are rounded to float32.
   *
   * @throws CheckpointException if the type is not F32, F16, BF16 or F64, or there are more than an
   *     array holds
   */
  public float[] toFloats() {
    if (type == SafetensorsType.F64) {
      float[] values = new float[length()];
      for (int i = 0; i < values.length; i++) {
        values[i] = (float) data.get(DOUBLE, 8L * i);
      }
      return values;
    }
    requireFloating();
    length();
    return toStored().toFloats();
  }

  /**
   * All elements, exactly.
   *
   * @throws CheckpointException if the type is not F64, F32, F16 or BF16, or there are more than an
   *     array holds
   */
  public double[] toDoubles() {
    requireFloating();
    double[] values = new double[length()];
    if (type == SafetensorsType.F64) {
      MemorySegment.copy(data, DOUBLE, 0, values, 0, values.length);
    } else {
      float[] floats = toFloats();
      for (int i = 0; i < values.length; i++) {
        values[i] = floats[i];
      }
    }
    return values;
  }

  /**
   * All elements of a tensor of integers.
   *
   * @throws CheckpointException if the type is no integer type, an element of U64 is over 2^63 - 1,
   *     or there are more than an array holds
   */
  public long[] toLongs() {
    switch (type) {
      case I8, U8, I16, U16, I32, U32, I64, U64 -> {}
      default -> throw wrongType("an integer type");
    }
    long[] values = new long[length()];
    for (int i = 0; i < values.length; i++) {
      values[i] = integer(i);
    }
    return values;
  }

  private long integer(long i) {
    return switch (type) {
      case I8 -> data.get(ValueLayout.JAVA_BYTE, i);
      case U8 -> data.get(ValueLayout.JAVA_BYTE, i) & 0xFFL;
      case I16 -> data.get(SHORT, 2 * i);
      case U16 -> data.get(SHORT, 2 * i) & 0xFFFFL;
      case I32 -> data.get(INT, 4 * i);
      case U32 -> data.get(INT, 4 * i) & 0xFFFFFFFFL;
      case U64 -> {
        long value = data.get(LONG, 8 * i);
        if (value < 0) {
          throw problem(
              "element %d: expected at most 2^63 - 1, found %s"
                  .formatted(i, Long.toUnsignedString(value)));
        }
        yield value;
      }
      default -> data.get(LONG, 8 * i);
    };
  }

  private void requireFloating() {
    switch (type) {
      case F64, F32, F16, BF16 -> {}
      default -> throw wrongType("type F64, F32, F16 or BF16");
    }
  }

  private int length() {
    if (shape.elements() > Integer.MAX_VALUE - 8) {
      throw problem("too many elements for one array in shape " + shape);
    }
    return (int) shape.elements();
  }

  private CheckpointException wrongType(String expected) {
    return problem("expected " + expected + ", found " + type);
  }

  private CheckpointException problem(String problem) {
    return new CheckpointException(file, "tensor " + name, problem);
  }
}
