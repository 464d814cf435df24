package dev.gdn.model.json;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;

/** Says in one line why a text is no valid JSON. */
public final class JsonProblem {
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
}
