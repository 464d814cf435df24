package dev.gdn.model.json;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import java.util.List;
import java.util.Map;

/** Says in one line why a text is no valid JSON, or what other than expected it holds. */
public final class JsonProblem {
  private static final int LONGEST = 60;

  private JsonProblem() {}

  /** Where the parser stopped and why; without the source, which its own message repeats. */
  public static String describe(JsonProcessingException failure) {
    JsonLocation location = failure.getLocation();
    String place =
        location == null
            ? ""
            : " in line %d, column %d".formatted(location.getLineNr(), location.getColumnNr());
    return "expected JSON, found" + place + ": " + inPlainWords(failure.getOriginalMessage());
  }

  // The parser speaks to those who program with it: of its own options, and of where it reads from.
  private static String inPlainWords(String message) {
    StringBuilder plain = new StringBuilder();
    message
        .replaceAll("\\[Source:[^;]*; ([^]]*)]", "$1")
        .replaceAll(", from `StreamReadConstraints[^`]*`", "")
        .replaceAll(": enable `[^`]*` to allow", "")
        .replaceAll(" \\(bound as `[^`]*`\\)", "")
        .replaceAll(": not allowed as per `[^`]*`", "")
        .replaceAll(" \\(not recognized as one since Feature [^)]*\\)", "")
        .codePoints()
        .forEach(
            c -> {
              boolean shown =
                  !Character.isISOControl(c) && Character.getType(c) != Character.FORMAT;
              if (shown) {
                plain.appendCodePoint(c);
              } else {
                plain.append("U+%04X".formatted(c));
              }
            });
    return plain.toString();
  }

  /** A value as a message shows it: what kind it is, or a text or number itself. */
  public static String shown(Object value) {
    return switch (value) {
      case null -> "null";
      case Map<?, ?> object -> object.isEmpty() ? "an empty object" : "an object";
      case List<?> list -> list.isEmpty() ? "an empty list" : "a list";
      case String text -> '"' + shortened(text) + '"';
      default -> shortened(value.toString());
    };
  }

  private static String shortened(String text) {
    return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
  }
}
