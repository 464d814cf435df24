package dev.gdn.model.file;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * Texts in UTF-8 that are read whole. Their size has a bound, which is checked before memory is
 * asked for: it is somebody else who says which file that is.
 */
public final class BoundedText {
  private BoundedText() {}

  /**
   * Reads a regular file. A device or a pipe is refused, for it may have no end, or nobody who
   * writes to it.
   *
   * @param most bytes
   * @throws CharacterCodingException if it is no UTF-8
   * @throws IOException if it is missing, of another kind, larger, or cannot be read; {@link
   *     #problem} says which
   */
  public static String read(Path file, long most) throws IOException {
    if (FileKind.isThere(file) && !Files.isRegularFile(file)) {
      throw new FileSystemException(
          file.toString(), null, "expected a regular file, found " + FileKind.describe(file));
    }
    if (Files.size(file) > most) {
      throw tooLarge(file, most, Files.size(file) + " bytes");
    }
    return Files.readString(file);
  }

  /**
   * Reads what is open already, to its end, which a pipe from another program has.
   *
   * @param name for messages
   * @param most bytes
   * @throws CharacterCodingException if it is no UTF-8
   * @throws IOException if there is more, or it cannot be read
   */
  public static String readAll(InputStream open, Path name, int most) throws IOException {
    byte[] bytes = open.readNBytes(most);
    if (open.read() >= 0) {
      throw tooLarge(name, most, "more");
    }
    return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
  }

  private static IOException tooLarge(Path file, long most, String found) {
    return new FileSystemException(
        file.toString(), null, "expected at most %d bytes, found %s".formatted(most, found));
  }

  /** What was found and expected, without the file's name. */
  public static String problem(IOException failure) {
    return switch (failure) {
      case CharacterCodingException _ -> "expected UTF-8, found other bytes";
      case NoSuchFileException _ -> "no such file";
      case FileSystemException known when known.getReason() != null -> known.getReason();
      default -> "cannot be read: " + failure;
    };
  }
}
