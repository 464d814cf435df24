package dev.gdn.cli;

import dev.gdn.demo.DemoModel;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Which model a command is about. */
final class ModelPath {
  @Option(
      names = {"-m", "--model"},
      paramLabel = "PATH",
      description =
          "A checkpoint folder of a model hub, a GGUF file or a folder with one; the demonstration"
              + " model if none.")
  private Path path;

  /** The folder or file. */
  Path get() {
    return path == null ? DemoModel.extract() : path;
  }
}
