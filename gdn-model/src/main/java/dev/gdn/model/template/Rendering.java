package dev.gdn.model.template;

import java.util.List;

/**
 * What a template printed. Immutable.
 *
 * @param borders places in the text, ascending, where the template began with an element of the
 *     list that was asked for, and where it was done with the last one
 */
public record Rendering(String text, List<Integer> borders) {
  public Rendering {
    borders = List.copyOf(borders);
  }
}
