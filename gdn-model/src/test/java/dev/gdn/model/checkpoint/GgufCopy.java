package dev.gdn.model.checkpoint;

import dev.gdn.core.tensor.Shape;
import dev.gdn.model.gguf.GgmlType;
import dev.gdn.model.gguf.GgufFile;
import dev.gdn.model.gguf.GgufTensor;
import dev.gdn.model.gguf.GgufValue;
import dev.gdn.model.gguf.GgufWriter;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** A copy of a GGUF file with changes. */
final class GgufCopy implements AutoCloseable {
  private final GgufFile file;
  private final Map<String, GgufValue> metadata;
  private final Map<String, GgufTensor> tensors;

  GgufCopy(Path path) {
    file = GgufFile.open(path);
    metadata = new LinkedHashMap<>(file.metadata().values());
    tensors = new LinkedHashMap<>(file.tensors());
  }

  GgufCopy put(String key, GgufValue value) {
    metadata.put(key, value);
    return this;
  }

  GgufCopy remove(String key) {
    if (metadata.remove(key) == null && tensors.remove(key) == null) {
      throw new IllegalArgumentException("no " + key);
    }
    return this;
  }

  GgufCopy rename(String from, String to) {
    GgufTensor tensor = tensors.get(from);
    remove(from);
    tensors.put(
        to, new GgufTensor(tensor.file(), to, tensor.type(), tensor.shape(), tensor.data()));
    return this;
  }

  GgufCopy add(String name, GgmlType type, Shape shape, MemorySegment data) {
    tensors.put(name, new GgufTensor(file.path(), name, type, shape, data));
    return this;
  }

  Path write(Path target) throws IOException {
    GgufWriter writer = new GgufWriter();
    metadata.forEach(writer::put);
    tensors.forEach((name, t) -> writer.tensor(name, t.type(), t.shape(), t.data()));
    writer.write(target, (bytes, total) -> {});
    return target;
  }

  @Override
  public void close() {
    file.close();
  }
}
