package dev.gdn.acceptance.models;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gdn.core.tensor.Shape;
import dev.gdn.model.safetensors.SafetensorsFile;
import dev.gdn.model.safetensors.SafetensorsType;
import dev.gdn.model.safetensors.SafetensorsWriter;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;

/** The weights of a hub folder in float32, to be laid out in another way. */
final class HubCopy {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private record Tensor(Shape shape, float[] values) {}

  private final ObjectNode config;
  private Map<String, Tensor> tensors = new LinkedHashMap<>();

  HubCopy(Path folder) throws IOException {
    config = (ObjectNode) MAPPER.readTree(folder.resolve("config.json").toFile());
    try (SafetensorsFile file = SafetensorsFile.open(folder.resolve("model.safetensors"))) {
      file.tensors()
          .forEach(
              (name, t) -> {
                if (t.type() != SafetensorsType.I64) {
                  tensors.put(name, new Tensor(t.shape(), t.toFloats()));
                }
              });
    }
  }

  ObjectNode config() {
    return config;
  }

  boolean has(String name) {
    return tensors.containsKey(name);
  }

  float[] values(String name) {
    return tensors.get(name).values;
  }

  HubCopy put(String name, Shape shape, float[] values) {
    tensors.put(name, new Tensor(shape, values));
    return this;
  }

  HubCopy remove(String name) {
    if (tensors.remove(name) == null) {
      throw new IllegalArgumentException("no " + name);
    }
    return this;
  }

  HubCopy rename(UnaryOperator<String> names) {
    Map<String, Tensor> renamed = new LinkedHashMap<>();
    tensors.forEach((name, tensor) -> renamed.put(names.apply(name), tensor));
    tensors = renamed;
    return this;
  }

  /** Puts matrices of the same number of columns one below the other, in place of the others. */
  HubCopy join(String name, Shape shape, String... parts) {
    float[] joined = new float[Math.toIntExact(shape.elements())];
    int to = 0;
    for (String part : parts) {
      float[] values = values(part);
      System.arraycopy(values, 0, joined, to, values.length);
      to += values.length;
      remove(part);
    }
    return put(name, shape, joined);
  }

  /** Some rows of a matrix. */
  float[] rows(String name, int first, int count) {
    int columns = Math.toIntExact(tensors.get(name).shape.dimension(1));
    return Arrays.copyOfRange(values(name), first * columns, (first + count) * columns);
  }

  /** Rounds all weights to binary16. */
  HubCopy round() {
    for (Tensor tensor : tensors.values()) {
      for (int i = 0; i < tensor.values.length; i++) {
        tensor.values[i] = Float.float16ToFloat(Float.floatToFloat16(tensor.values[i]));
      }
    }
    return this;
  }

  Path write(Path folder) throws IOException {
    SafetensorsWriter writer = new SafetensorsWriter();
    tensors.forEach((name, tensor) -> writer.add(name, tensor.shape, tensor.values));
    return write(folder, writer);
  }

  /** Writes all weights in binary16. */
  Path writeHalves(Path folder) throws IOException {
    SafetensorsWriter writer = new SafetensorsWriter();
    tensors.forEach(
        (name, tensor) -> {
          short[] halves = new short[tensor.values.length];
          for (int i = 0; i < halves.length; i++) {
            halves[i] = Float.floatToFloat16(tensor.values[i]);
          }
          writer.add(name, SafetensorsType.F16, tensor.shape, MemorySegment.ofArray(halves));
        });
    return write(folder, writer);
  }

  private Path write(Path folder, SafetensorsWriter writer) throws IOException {
    writer.write(folder.resolve("model.safetensors"));
    MAPPER.writeValue(folder.resolve("config.json").toFile(), config);
    return folder;
  }
}
