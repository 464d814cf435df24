package dev.gdn.model.gguf;

import dev.gdn.model.error.CheckpointException;
import dev.gdn.model.file.FileKind;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Reads all parts of a split file, whichever of them is opened. Each part is a GGUF file of its own
 * that says which it is; the first has the metadata of the whole.
 *
 * <p>Source: llama.cpp's gguf-split, which writes them.
 */
final class SplitReader {
  private static final String NUMBER = "split.no";
  private static final String COUNT = "split.count";
  private static final String TENSORS = "split.tensors.count";

  /** As many as the five digits of a name count. */
  private static final int MOST_PARTS = 99_999;

  private final Path opened;
  private final Arena arena;

  private SplitReader(Path opened, Arena arena) {
    this.opened = opened;
    this.arena = arena;
  }

  /**
   * Reads a file, and the other parts if it is one.
   *
   * @param arena holds the mappings
   */
  static Directory read(Path path, Arena arena) {
    Directory directory = GgufFile.read(path, arena);
    int count = count(directory);
    return count <= 1 ? directory : new SplitReader(path, arena).join(directory, count);
  }

  /** A file in one part need not say so; one that was put together again may say 0. */
  private static int count(Directory directory) {
    return directory.metadata().findWhole(COUNT, 0, MOST_PARTS).orElse(1);
  }

  private Directory join(Directory known, int count) {
    SplitName name =
        SplitName.candidates(opened)
            .filter(n -> n.count() == count)
            .findFirst()
            .orElseThrow(
                () ->
                    problem(
                        opened,
                        COUNT,
                        "expected a name that ends in -%05d-of-%05d.gguf for a part of %d"
                            .formatted(number(known, count) + 1, count, count)));
    for (int i = 0; i < count; i++) {
      if (!Files.isRegularFile(name.part(i))) {
        throw problem(
            name.part(i),
            "split",
            FileKind.isThere(name.part(i))
                ? "expected a file as part %d of %d, found %s"
                    .formatted(i + 1, count, FileKind.describe(name.part(i)))
                : "part %d of %d is missing".formatted(i + 1, count));
      }
    }
    Directory first = null;
    Map<String, GgufTensor> tensors = new LinkedHashMap<>();
    for (int i = 0; i < count; i++) {
      Path part = name.part(i);
      Directory directory = i == name.number() ? known : GgufFile.read(part, arena);
      checkPlace(part, directory, i, count);
      if (first == null) {
        first = directory;
      }
      directory.tensors().values().forEach(tensor -> add(tensor, tensors));
    }
    checkTensorCount(name.part(0), first, tensors.size());
    return new Directory(first.version(), first.metadata(), tensors);
  }

  private static int number(Directory directory, int count) {
    return directory.metadata().whole(NUMBER, 0, count - 1);
  }

  private static void checkPlace(Path part, Directory directory, int place, int count) {
    int found = count(directory);
    if (found != count) {
      throw problem(part, COUNT, "expected %d as its name says, found %d".formatted(count, found));
    }
    int number = number(directory, count);
    if (number != place) {
      throw problem(
          part, NUMBER, "expected %d as its name says, found %d".formatted(place, number));
    }
  }

  private static void add(GgufTensor tensor, Map<String, GgufTensor> tensors) {
    GgufTensor other = tensors.putIfAbsent(tensor.name(), tensor);
    if (other != null) {
      throw problem(
          tensor.file(), "tensor " + tensor.name(), "expected one, found one in " + other.file());
    }
  }

  private static void checkTensorCount(Path part, Directory first, int found) {
    int expected = first.metadata().whole(TENSORS, 0, Integer.MAX_VALUE);
    if (expected != found) {
      throw problem(
          part, TENSORS, "expected %d tensors in all parts, found %d".formatted(expected, found));
    }
  }

  private static CheckpointException problem(Path part, String subject, String problem) {
    return new CheckpointException(part, subject, problem);
  }
}
