package dev.gdn.model.gguf;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The name of one part of a split file, {@code NAME-00001-of-00003.gguf}.
 *
 * @param path the part
 * @param base what stands before the number
 * @param number of the part, from 0, though the name counts from 1
 * @param count parts that there are
 */
record SplitName(Path path, String base, int number, int count) {
  private static final Pattern FORM = Pattern.compile("(.+)-(\\d{5})-of-(\\d{5})\\.gguf");

  private static Optional<SplitName> of(Path path) {
    Matcher name = FORM.matcher(path.getFileName().toString());
    return name.matches()
        ? Optional.of(
            new SplitName(
                path,
                name.group(1),
                Integer.parseInt(name.group(2)) - 1,
                Integer.parseInt(name.group(3))))
        : Optional.empty();
  }

  /**
   * The names that say which part a file is: its own and, where that is a symbolic link, that of
   * the file it leads to. Own names go first, for a hub's cache links to files named by their hash.
   */
  static Stream<SplitName> candidates(Path path) {
    return Stream.concat(Stream.of(path), target(path).stream())
        .map(SplitName::of)
        .flatMap(Optional::stream)
        .filter(name -> name.number >= 0 && name.number < name.count);
  }

  private static Optional<Path> target(Path path) {
    try {
      return Files.isSymbolicLink(path) ? Optional.of(path.toRealPath()) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty(); // it leads nowhere
    }
  }

  /** Another part, beside this one. */
  Path part(int number) {
    return path.resolveSibling("%s-%05d-of-%05d.gguf".formatted(base, number + 1, count));
  }
}
