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
    String message = failure.getOriginalMessage().replaceAll("\\[Source:[^;]*; ([^]]*)]", "$1");
    return "expected JSON, found" + place + ": " + message;
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
