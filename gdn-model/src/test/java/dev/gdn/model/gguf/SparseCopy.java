package dev.gdn.model.gguf;

import dev.gdn.core.tensor.Shape;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A copy of a mixture of experts with many more of them. Those added are zeros, holes of a sparse
 * file that take no room on the disk, however large it is.
 */
public final class SparseCopy {
  private static final int ALIGNMENT = DirectoryReader.DEFAULT_ALIGNMENT;

  private SparseCopy() {}

  /**
   * Writes it.
   *
   * @param experts of each layer
   * @return bytes of the new file
   */
  public static long write(Path source, Path target, int experts) throws IOException {
    try (GgufFile file = GgufFile.open(source);
        FileChannel channel =
            FileChannel.open(
                target,
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.WRITE,
                StandardOpenOption.SPARSE)) {
      Map<String, GgufValue> metadata = new LinkedHashMap<>(file.metadata().values());
      metadata.replaceAll((key, value) -> key.endsWith(".expert_count") ? count(experts) : value);
      DirectoryWriter directory = new DirectoryWriter(file.tensors().size(), metadata);
      long size = 0;
      for (GgufTensor tensor : file.tensors().values()) {
        directory.tensor(tensor.name(), tensor.type(), shape(tensor, experts), size);
        size = DirectoryReader.align(size + bytes(tensor, experts), ALIGNMENT);
      }
      channel.write(ByteBuffer.wrap(directory.toBytes()));
      long at = DirectoryReader.align(channel.position(), ALIGNMENT);
      long end = at + size;
      for (GgufTensor tensor : file.tensors().values()) {
        channel.write(tensor.data().asByteBuffer(), at);
        at = DirectoryReader.align(at + bytes(tensor, experts), ALIGNMENT);
      }
      channel.write(ByteBuffer.allocate(1), end - 1);
      return end;
    }
  }

  private static GgufValue count(int experts) {
    return new GgufValue.Whole(GgufValueType.UINT32, experts);
  }

  private static boolean grows(GgufTensor tensor) {
    return tensor.name().endsWith("_exps.weight") || tensor.name().endsWith("_gate_inp.weight");
  }

  private static Shape shape(GgufTensor tensor, int experts) {
    Shape shape = tensor.shape();
    if (!grows(tensor)) {
      return shape;
    }
    return shape.rank() == 2
        ? new Shape(experts, shape.dimension(1))
        : new Shape(experts, shape.dimension(1), shape.dimension(2));
  }

  private static long bytes(GgufTensor tensor, int experts) {
    long bytes = tensor.data().byteSize();
    return grows(tensor) ? bytes / tensor.shape().dimension(0) * experts : bytes;
  }
}
