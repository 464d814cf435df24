package dev.gdn.cli;

import dev.gdn.model.checkpoint.FolderFiles;
import dev.gdn.model.file.FileKind;
import dev.gdn.model.safetensors.SafetensorsWriter;
import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** Results that a command writes to files. */
final class Outputs {
  /** The folder alone, as cases are looked for. */
  private static final int CASES = 1;

  /** A folder and those in it: what a checkpoint takes. */
  private static final int CHECKPOINT = 2;

  private Outputs() {}

  /**
   * Refuses a file that would replace what a command reads. To be called before it is read.
   *
   * @param out the file or folder to write
   * @param outOption that says {@code out}
   * @param in the file, or the folder that is read; all of its files count, under any name, those
   *     of folders in it do not
   * @param inOption that says {@code in}
   * @throws InputException if they are the same, or cannot be compared
   */
  static void checkApart(Path out, String outOption, Path in, String inOption) {
    checkApart(out, outOption, List.of(in), inOption, CASES, file -> true);
  }

  /**
   * The same for a model, or any part of a split file; a result beside it may be replaced where its
   * extension tells it from the model's files. A new file there has no name that opening the model
   * looks for.
   *
   * @throws InputException if they are the same, or cannot be compared
   */
  static void checkApartFromModel(Path out, String outOption, Path model) {
    ModelFiles files = new ModelFiles(model);
    try {
      if (!FileKind.isThere(out) && files.wouldContain(out)) {
        throw new InputException(
            "%s: expected a name that is not looked for when the model of --model is opened, found %s"
                .formatted(outOption, out));
      }
    } catch (IOException e) {
      throw notCompared(out, "--model", e);
    }
    checkApart(out, outOption, FolderFiles.readFor(model), "--model", CHECKPOINT, files::contain);
  }

  private static void checkApart(
      Path out, String outOption, List<Path> in, String inOption, int depth, Predicate<Path> read) {
    try {
      if (!Files.exists(out)) {
        return;
      }
      for (Path part : in) {
        if (Files.exists(part) && (Files.isSameFile(part, out) || holds(part, out, depth, read))) {
          throw new InputException(
              "%s: expected another place than %s, found %s".formatted(outOption, inOption, out));
        }
      }
    } catch (IOException e) {
      throw notCompared(out, inOption, e);
    }
  }

  private static InputException notCompared(Path out, String inOption, IOException e) {
    return FileProblem.of(out, "cannot be compared with " + inOption, e);
  }

  private static boolean holds(Path folder, Path out, int depth, Predicate<Path> read)
      throws IOException {
    boolean[] found = new boolean[1];
    Files.walkFileTree(
        folder,
        Set.of(FileVisitOption.FOLLOW_LINKS),
        depth,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            found[0] = attributes.isRegularFile() && Files.isSameFile(file, out) && read.test(file);
            return found[0] ? FileVisitResult.TERMINATE : FileVisitResult.CONTINUE;
          }

          // What cannot be looked at is not what is read.
          @Override
          public FileVisitResult visitFileFailed(Path file, IOException failure) {
            return FileVisitResult.CONTINUE;
          }
        });
    return found[0];
  }

  /**
   * Removes a regular file, or a link to one, if it is there.
   *
   * @throws InputException if it cannot be removed, naming it
   */
  static void remove(Path file) {
    try {
      if (Files.isRegularFile(file)) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw FileProblem.of(file, "cannot be removed", e);
    }
  }

  /**
   * Writes a file.
   *
   * @throws InputException if it cannot be written, naming it
   */
  static void write(SafetensorsWriter writer, Path file) {
    try {
      writer.write(file);
    } catch (IOException e) {
      throw FileProblem.of(file, "cannot be written", e);
    }
  }
}
