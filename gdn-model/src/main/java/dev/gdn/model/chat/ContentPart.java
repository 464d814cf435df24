package dev.gdn.model.chat;

import java.util.Map;
import java.util.Objects;

/** A part of what a message says. The models here read text alone. */
public sealed interface ContentPart {
  /** As templates take it: an object with its type. */
  Map<String, Object> toJson();

  /** Text. */
  record Text(String text) implements ContentPart {
    public Text {
      Objects.requireNonNull(text, "text");
    }

    @Override
    public Map<String, Object> toJson() {
      return Map.of("type", "text", "text", text);
    }
  }
}
