package dev.gdn.model.gguf;

import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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

  static Optional<SplitName> of(Path path) {
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

  /** Another part, beside this one. */
  Path part(int number) {
    return path.resolveSibling("%s-%05d-of-%05d.gguf".formatted(base, number + 1, count));
  }
}
