package dev.gdn.cli;

import dev.gdn.model.checkpoint.FolderFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Which files in a model's folder are the model's. Those of a checkpoint are, whether they are read
 * or not; results that were written beside it are not, as far as their extension shows it.
 *
 * @param model a folder, or a file
 */
record ModelFiles(Path model) {
  /**
   * Whether a file in the folder is not one of these: a GGUF file beside a {@code config.json},
   * tensors that are no weights, messages of a chat, which are a list as no file of a checkpoint
   * is, and a session's state. What opening the model looks for is the model's under any name.
   */
  boolean contain(Path file) {
    String name = file.getFileName().toString();
    String extension = name.substring(name.lastIndexOf('.') + 1);
    return FolderFiles.isLookedFor(model, name)
        || switch (extension.toLowerCase(Locale.ROOT)) {
          case "safetensors" -> name.startsWith("model");
          case "json" -> !isList(file);
          case "gguf" -> !Files.exists(model.resolve("config.json"));
          case "state" -> false;
          default -> true;
        };
  }

  /** Whether a new file would be taken for one of the model's when it is opened again. */
  boolean wouldContain(Path file) throws IOException {
    Path folder = file.toAbsolutePath().getParent();
    if (folder == null || !Files.isDirectory(model) || !Files.isDirectory(folder)) {
      return false;
    }
    String name = file.getFileName().toString();
    Path templates = model.resolve(FolderFiles.TEMPLATES);
    return Files.isSameFile(folder, model)
        ? FolderFiles.isLookedFor(model, name)
        : Files.isDirectory(templates) && Files.isSameFile(folder, templates);
  }

  private static boolean isList(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      int first = in.read();
      while (first > 0 && Character.isWhitespace(first)) {
        first = in.read();
      }
      return first == '[';
    } catch (IOException e) {
      return false;
    }
  }
}
