package dev.gdn.model;

import java.util.List;
import java.util.Optional;

/**
 * Finds stop strings in a text that comes in pieces. The first to be complete ends the text,
 * whatever the pieces; of several that end at the same place the longest. Text is held back as long
 * as a stop string may begin in it.
 */
final class StopStringFilter {
  private final List<String> stops;
  private final StringBuilder held = new StringBuilder();
  private Optional<String> found = Optional.empty();

  StopStringFilter(List<String> stops) {
    this.stops = stops;
  }

  /** Takes more text; returns what is certain to come before any stop string. */
  String accept(String piece) {
    if (stops.isEmpty()) {
      return piece;
    }
    for (int i = 0; i < piece.length() && found.isEmpty(); i++) {
      held.append(piece.charAt(i));
      found = ended();
    }
    int released = found.isPresent() ? held.length() - found.get().length() : firstPossible();
    String text = held.substring(0, released);
    held.delete(0, found.isPresent() ? held.length() : released);
    return text;
  }

  /** The end of the text; returns what was held back. */
  String finish() {
    String rest = held.toString();
    held.setLength(0);
    return rest;
  }

  /** The stop string that ended the text. */
  Optional<String> found() {
    return found;
  }

  private Optional<String> ended() {
    String longest = "";
    for (String stop : stops) {
      int from = held.length() - stop.length();
      if (stop.length() > longest.length() && from >= 0 && held.indexOf(stop, from) == from) {
        longest = stop;
      }
    }
    return longest.isEmpty() ? Optional.empty() : Optional.of(longest);
  }

  /** Where the first stop string may begin. */
  private int firstPossible() {
    for (int from = 0; from < held.length(); from++) {
      for (String stop : stops) {
        if (stop.length() > held.length() - from && isBeginning(stop, from)) {
          return from;
        }
      }
    }
    return held.length();
  }

  private boolean isBeginning(String stop, int from) {
    for (int i = from; i < held.length(); i++) {
      if (held.charAt(i) != stop.charAt(i - from)) {
        return false;
      }
    }
    return true;
  }
}
