package dev.gdn.core.tensor;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * A named tensor, with its elements as a checkpoint stores them: a view of mapped bytes, or of an
 * array. Safe to share; reading one whose mapping is closed throws {@link IllegalStateException}.
 *
 * @param name the name in the checkpoint
 * @param type how elements are stored
 * @param shape dimensions, outermost first
 * @param layout the order of the bytes of the matrix, or of each in a stack of them
 * @param data exactly the tensor's bytes, little-endian
 */
public record StoredTensor(
    String name, DataType type, Shape shape, RowLayout layout, MemorySegment data) {
  /**
   * @throws IllegalArgumentException if the data are not as many bytes as type and shape take
   */
  public StoredTensor {
    long expected = type.bytes(shape.elements());
    if (data.byteSize() != expected) {
      throw new IllegalArgumentException(
          "tensor "
              + name
              + ": "
              + type
              + " "
              + shape
              + " takes "
              + expected
              + " bytes, got "
              + data.byteSize());
    }
    // Kernels need the array of what lies in groups.
    data = layout == RowLayout.ROWS ? data.asReadOnly() : data;
  }

  /** A tensor with its elements in their order. */
  public StoredTensor(String name, DataType type, Shape shape, MemorySegment data) {
    this(name, type, shape, RowLayout.ROWS, data);
  }

  /**
   * All elements, decoded, row-major.
   *
   * @throws IllegalStateException if rows lie in groups: such a tensor is one for products
   */
  public float[] toFloats() {
    if (layout != RowLayout.ROWS) {
      throw new IllegalStateException("tensor " + name + ": its rows lie in groups");
    }
    float[] values = new float[Math.toIntExact(shape.elements())];
    BlockDecoder.decode(type, data, 0, values, 0, values.length);
    return values;
  }

  /**
   * This tensor as a matrix; dimensions after the second are folded into the columns.
   *
   * @throws IllegalArgumentException if it has fewer than two dimensions, or a side over 2^31 - 1
   */
  public WeightMatrix toMatrix() {
    if (shape.rank() < 2) {
      throw new IllegalArgumentException("tensor " + name + ": expected a matrix, found " + shape);
    }
    long rows = shape.dimension(0);
    long columns = rows == 0 ? 0 : shape.elements() / rows;
    if (rows > Integer.MAX_VALUE || columns > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("tensor " + name + ": a side too long in " + shape);
    }
    return new WeightMatrix(name, type, (int) rows, (int) columns, layout, data);
  }

  /**
   * The matrices that this tensor is a stack of, as views.
   *
   * @throws IllegalArgumentException if it does not have three dimensions, or a side over 2^31 - 1
   */
  public List<WeightMatrix> toMatrices() {
    if (shape.rank() != 3) {
      throw new IllegalArgumentException(
          "tensor " + name + ": expected a stack of matrices, found " + shape);
    }
    List<WeightMatrix> matrices = new ArrayList<>();
    Shape each = new Shape(shape.dimension(1), shape.dimension(2));
    long bytes = type.bytes(each.elements());
    for (long i = 0; i < shape.dimension(0); i++) {
      MemorySegment slice = data.asSlice(i * bytes, bytes);
      matrices.add(new StoredTensor(name + "[" + i + "]", type, each, layout, slice).toMatrix());
    }
    return List.copyOf(matrices);
  }
}
