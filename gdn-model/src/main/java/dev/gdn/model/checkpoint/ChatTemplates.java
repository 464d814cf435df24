package dev.gdn.model.checkpoint;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The chat templates that were published with a checkpoint, as Jinja source, and the tokens that
 * they know by name. Immutable.
 *
 * @param main the one for ordinary use; empty if the checkpoint has none
 * @param named others by what they are for, such as {@code tool_use}, in alphabetical order
 * @param specialTokens texts of tokens that the reference gives a template as variables, such as
 *     {@code bos_token} and {@code eos_token}; as many as the checkpoint names
 */
public record ChatTemplates(
    Optional<String> main, Map<String, String> named, Map<String, String> specialTokens) {
  /** What the main template is called where all have names. */
  static final String MAIN = "default";

  /** Takes copies of the maps. */
  public ChatTemplates {
    named = Collections.unmodifiableMap(new TreeMap<>(named));
    specialTokens = Collections.unmodifiableMap(new TreeMap<>(specialTokens));
  }
}
