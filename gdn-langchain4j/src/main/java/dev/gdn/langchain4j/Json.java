package dev.gdn.langchain4j;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.Map;

/** JSON objects, which the framework holds as text. */
final class Json {
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private Json() {}

  /**
   * Reads an object.
   *
   * @param what it is, for messages
   * @throws IllegalArgumentException if it is none
   */
  static Map<String, Object> object(String json, String what) {
    Map<String, Object> object;
    try {
      object = MAPPER.readValue(json, new TypeReference<>() {});
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          "%s: expected a JSON object: %s".formatted(what, e.getOriginalMessage()), e);
    }
    if (object == null) {
      throw new IllegalArgumentException(what + ": expected a JSON object, found null");
    }
    return object;
  }

  /** Writes an object of text, numbers, truth values, null, and lists and maps of these. */
  static String text(Map<String, Object> object) {
    try {
      return MAPPER.writeValueAsString(object);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          "expected what JSON has, found " + e.getOriginalMessage(), e);
    }
  }
}
