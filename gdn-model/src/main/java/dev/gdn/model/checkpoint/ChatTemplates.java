package dev.gdn.model.checkpoint;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The chat templates that were published with a checkpoint, as Jinja source. Immutable.
 *
 * @param main the one for ordinary use; empty if the checkpoint has none
 * @param named others by what they are for, such as {@code tool_use}, in alphabetical order
 */
public record ChatTemplates(Optional<String> main, Map<String, String> named) {
  /** What the main template is called where all have names. */
  static final String MAIN = "default";

  /** Takes a copy of the map. */
  public ChatTemplates {
    named = Collections.unmodifiableMap(new TreeMap<>(named));
  }
}
