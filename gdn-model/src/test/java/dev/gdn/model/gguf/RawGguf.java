package dev.gdn.model.gguf;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** GGUF files made by hand, valid or not. */
final class RawGguf {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  /** The start of a file with so many tensors and metadata entries. */
  static RawGguf start(long tensors, long entries) {
    return new RawGguf().text("GGUF").int32(3).int64(tensors).int64(entries);
  }

  RawGguf text(String raw) {
    bytes.writeBytes(raw.getBytes(StandardCharsets.UTF_8));
    return this;
  }

  RawGguf raw(int... values) {
    for (int value : values) {
      bytes.write(value);
    }
    return this;
  }

  RawGguf int32(int value) {
    return little(value, 4);
  }

  RawGguf int64(long value) {
    return little(value, 8);
  }

  RawGguf string(String value) {
    return int64(value.getBytes(StandardCharsets.UTF_8).length).text(value);
  }

  /** An entry of type UINT32. */
  RawGguf entry(String key, int value) {
    return string(key).int32(GgufValueType.UINT32.id()).int32(value);
  }

  /** A tensor's entry; dimensions as they stand in the file, innermost first. */
  RawGguf tensor(String name, int type, long offset, long... dimensions) {
    string(name).int32(dimensions.length);
    for (long dimension : dimensions) {
      int64(dimension);
    }
    return int32(type).int64(offset);
  }

  /** Zeros up to the next multiple of 32 and so many more. */
  RawGguf data(int count) {
    int padding = Math.ceilDiv(bytes.size(), 32) * 32 - bytes.size();
    bytes.writeBytes(new byte[padding + count]);
    return this;
  }

  Path write(Path folder) throws IOException {
    return Files.write(folder.resolve("raw.gguf"), bytes.toByteArray());
  }

  private RawGguf little(long value, int size) {
    for (int i = 0; i < size; i++) {
      bytes.write((int) (value >>> 8 * i));
    }
    return this;
  }
}
