package dev.gdn.model.gguf;

import dev.gdn.core.tensor.DataType;
import dev.gdn.core.tensor.Shape;
import dev.gdn.core.tensor.StoredTensor;
import dev.gdn.model.error.CheckpointException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/**
 * One tensor of a GGUF file: a read-only, row-major view of the mapped bytes. Safe to share.
 * Reading it after the file was closed throws {@link IllegalStateException}.
 *
 * @param file the file it stands in, for messages
 * @param name its name in the file
 * @param type how elements are stored
 * @param shape dimensions, outermost first: the reverse of the file's order
 * @param data exactly the tensor's bytes, little-endian
 */
public record GgufTensor(Path file, String name, GgmlType type, Shape shape, MemorySegment data) {
  /**
   * This tensor as a weight.
   *
   * @throws CheckpointException if the library does not compute with its type
   */
  public StoredTensor toStored() {
    return toStored(shape);
  }

  /**
   * This tensor as a weight of another shape with the same rows, such as one without dimensions of
   * 1.
   *
   * @throws CheckpointException if the library does not compute with its type
   * @throws IllegalArgumentException if the shape has another number of elements
   */
  public StoredTensor toStored(Shape shape) {
    DataType stored =
        type.dataType()
            .orElseThrow(
                () ->
                    new CheckpointException(
                        file, "tensor " + name, "the type %s is not supported".formatted(type)));
    return new StoredTensor(name, stored, shape, data);
  }
}
