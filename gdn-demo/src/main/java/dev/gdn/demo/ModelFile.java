package dev.gdn.demo;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * One file of the model, as {@code files.txt} lists it.
 *
 * @param sha256 of its bytes, in lower-case hexadecimal
 * @param size in bytes
 * @param name its name in the checkpoint folder
 */
record ModelFile(String sha256, long size, String name) {
  /** The listing itself: it changes whenever the model does. */
  static String listing() {
    try (InputStream in = ModelFile.class.getResourceAsStream("files.txt")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("the demonstration model's list of files cannot be read", e);
    }
  }

  static List<ModelFile> all() {
    return listing().lines().map(ModelFile::parse).toList();
  }

  private static ModelFile parse(String line) {
    String[] fields = line.split(" ", 3);
    return new ModelFile(fields[0], Long.parseLong(fields[1]), fields[2]);
  }

  static MessageDigest newDigest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** Whether the folder has a file of this name and size. */
  boolean isIn(Path folder) throws IOException {
    Path file = folder.resolve(name);
    return Files.isRegularFile(file) && Files.size(file) == size;
  }

  /**
   * Copies the resource to {@code target}.
   *
   * @throws IOException if it cannot be read or written, or is not what the listing says
   */
  void copyTo(Path target) throws IOException {
    MessageDigest digest = newDigest();
    try (InputStream in = ModelFile.class.getResourceAsStream("model/" + name)) {
      if (in == null) {
        throw new IOException("the demonstration model lacks its resource " + name);
      }
      try (OutputStream out = new DigestOutputStream(Files.newOutputStream(target), digest)) {
        in.transferTo(out);
      }
    }
    String found = HexFormat.of().formatHex(digest.digest());
    if (!found.equals(sha256)) {
      throw new IOException(
          "the demonstration model's resource %s is damaged: expected SHA-256 %s, found %s"
              .formatted(name, sha256, found));
    }
  }
}
