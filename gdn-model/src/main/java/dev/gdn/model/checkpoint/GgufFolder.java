package dev.gdn.model.checkpoint;

import static java.util.Comparator.naturalOrder;

import dev.gdn.model.error.CheckpointException;
import dev.gdn.model.file.FileKind;
import dev.gdn.model.gguf.GgufFile;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.stream.Collectors;

/** A folder with a GGUF file instead of a hub's checkpoint, as a download may leave it. */
final class GgufFolder {
  /** Names that a message lists. */
  private static final int MOST_SHOWN = 8;

  private GgufFolder() {}

  /**
   * The GGUF file of a folder, of a split one its first part that is there; empty if there is a
   * {@code config.json}, which goes before, or no such file.
   *
   * @throws CheckpointException if there are several, for it is not known which is meant
   */
  static Optional<Path> file(Path folder) {
    if (!Files.isDirectory(folder) || FileKind.isThere(folder.resolve("config.json"))) {
      return Optional.empty();
    }
    // What stands for each model: of a split one the first part that is there.
    SortedMap<Path, Path> models = new TreeMap<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        if (isModel(file.getFileName().toString())) {
          models.merge(GgufFile.parts(file).getFirst(), file, BinaryOperator.minBy(naturalOrder()));
        }
      }
    } catch (IOException | DirectoryIteratorException failure) {
      throw new CheckpointException(folder, "checkpoint", "cannot be read: " + failure, failure);
    }
    if (models.size() > 1) {
      String names =
          models.values().stream()
              .limit(MOST_SHOWN)
              .map(model -> model.getFileName().toString())
              .collect(Collectors.joining(", "));
      throw new CheckpointException(
          folder,
          "checkpoint",
          "expected config.json or one GGUF file, found %d of these, of which one is to be named: %s%s"
              .formatted(models.size(), names, models.size() > MOST_SHOWN ? ", …" : ""));
    }
    return models.values().stream().findFirst();
  }

  /**
   * Whether a file of this name may be a model: no vision projector, as llama.cpp's converter names
   * it, nor what macOS leaves beside a file.
   */
  static boolean isModel(String name) {
    return name.toLowerCase(Locale.ROOT).endsWith(".gguf")
        && !name.startsWith("mmproj")
        && !name.startsWith(".");
  }
}
