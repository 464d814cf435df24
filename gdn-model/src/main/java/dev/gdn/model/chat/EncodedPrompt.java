package dev.gdn.model.chat;

import java.util.List;

/**
 * A prompt in tokens.
 *
 * @param ids all of them
 * @param borders positions where messages begin or end, ascending; as many as fall between tokens
 */
public record EncodedPrompt(int[] ids, List<Integer> borders) {
  public EncodedPrompt {
    borders = List.copyOf(borders);
  }
}
