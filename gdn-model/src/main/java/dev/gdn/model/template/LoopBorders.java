package dev.gdn.model.template;

import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.TreeSet;

/** Notes where a text stands whenever a loop comes to one of some elements, and behind it. */
final class LoopBorders {
  private final Text text;
  private final Set<Object> elements = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Set<Integer> places = new TreeSet<>();

  /**
   * @param text the one whose places count; what is printed into others may end up anywhere
   * @param elements told apart by identity
   */
  LoopBorders(Text text, Collection<?> elements) {
    this.text = text;
    this.elements.addAll(elements);
  }

  /** Called before and after a loop's body runs for an element. */
  void note(Object element, Text out) {
    if (out == text && elements.contains(element)) {
      places.add(out.length());
    }
  }

  Set<Integer> places() {
    return places;
  }
}
