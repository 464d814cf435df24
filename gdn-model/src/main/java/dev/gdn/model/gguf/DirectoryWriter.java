package dev.gdn.model.gguf;

import dev.gdn.core.tensor.Shape;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Writes what stands before the tensors' bytes; the reverse of {@link DirectoryReader}. */
final class DirectoryWriter {
  private static final int VERSION = 3;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  DirectoryWriter(int tensors, Map<String, GgufValue> metadata) {
    little(DirectoryReader.MAGIC, 4);
    little(VERSION, 4);
    little(tensors, 8);
    little(metadata.size(), 8);
    metadata.forEach(this::entry);
  }

  private void entry(String key, GgufValue value) {
    string(key);
    little(value.type().id(), 4);
    switch (value) {
      case GgufValue.Whole(GgufValueType type, long number) -> little(number, type.minimumBytes());
      case GgufValue.Real(GgufValueType type, double number) -> {
        if (type == GgufValueType.FLOAT32) {
          little(Float.floatToRawIntBits((float) number), 4);
        } else {
          little(Double.doubleToRawLongBits(number), 8);
        }
      }
      case GgufValue.Flag(boolean flag) -> little(flag ? 1 : 0, 1);
      case GgufValue.Text(String text) -> string(text);
      case GgufValue.Items(GgufArray items) -> {
        little(items.elementType().id(), 4);
        little(items.length(), 8);
        bytes.writeBytes(items.data().toArray(ValueLayout.JAVA_BYTE));
      }
    }
  }

  void tensor(String name, GgmlType type, Shape shape, long offset) {
    string(name);
    little(shape.rank(), 4);
    // The file has the innermost dimension first.
    for (int i = shape.rank() - 1; i >= 0; i--) {
      little(shape.dimension(i), 8);
    }
    little(type.id(), 4);
    little(offset, 8);
  }

  byte[] toBytes() {
    return bytes.toByteArray();
  }

  private void string(String text) {
    byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
    little(encoded.length, 8);
    bytes.writeBytes(encoded);
  }

  private void little(long value, int size) {
    for (int i = 0; i < size; i++) {
      bytes.write((int) (value >>> 8 * i));
    }
  }
}
