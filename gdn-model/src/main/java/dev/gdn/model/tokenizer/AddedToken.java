package dev.gdn.model.tokenizer;

import java.util.Objects;

/**
 * A token that stands in the text as it is written and that no merge makes, such as {@code
 * <|im_end|>}.
 *
 * @param id its id
 * @param text what it looks like in a text, not empty
 * @param special whether it steers the model instead of being part of what the model says
 * @param normalized whether it is looked for after the text is normalised, instead of before
 */
public record AddedToken(int id, String text, boolean special, boolean normalized) {
  public AddedToken {
    Objects.requireNonNull(text, "text");
  }
}
