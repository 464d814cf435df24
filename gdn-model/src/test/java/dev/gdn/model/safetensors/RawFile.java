package dev.gdn.model.safetensors;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Safetensors files made by hand, valid or not. */
final class RawFile {
  private RawFile() {}

  /** The bytes of a file with this header and so many bytes of data. */
  static byte[] bytes(String header, int data) {
    return bytes(header.getBytes(StandardCharsets.UTF_8), data);
  }

  static byte[] bytes(byte[] header, int data) {
    return ByteBuffer.allocate(8 + header.length + data)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(header.length)
        .put(header)
        .array();
  }

  static Path write(Path folder, byte[] bytes) throws IOException {
    return Files.write(folder.resolve("raw.safetensors"), bytes);
  }
}
