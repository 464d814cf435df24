package dev.gdn.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Which files in a model's folder are the model's. Those of a checkpoint are, whether they are read
 * or not; results that were written beside it are not.
 *
 * @param model a folder, or a file
 */
record ModelFiles(Path model) {
  private static final String INDEX = "model.safetensors.index.json";

  /**
   * Whether a file in the folder is not one of these: a GGUF file beside a {@code config.json},
   * tensors that are no weights, messages of a chat, which are a list as no file of a checkpoint
   * is, and a session's state.
   */
  boolean contain(Path file) {
    String name = file.getFileName().toString();
    return switch (name.substring(name.lastIndexOf('.') + 1)) {
      case "gguf" -> !Files.exists(model.resolve("config.json"));
      case "safetensors" -> name.startsWith("model") || isInIndex(name);
      case "json" -> !isList(file);
      case "state" -> false;
      default -> true;
    };
  }

  private boolean isInIndex(String name) {
    Path index = model.resolve(INDEX);
    try {
      return Files.exists(index) && Files.readString(index).contains('"' + name + '"');
    } catch (IOException e) {
      return true;
    }
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
