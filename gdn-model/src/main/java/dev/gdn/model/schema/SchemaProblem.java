package dev.gdn.model.schema;

import java.util.Set;
import java.util.TreeSet;

/** Complaints about a schema. */
final class SchemaProblem {
  private SchemaProblem() {}

  /** A place in the schema, empty for all of it, that holds something else than expected. */
  static IllegalArgumentException of(String place, String expected, Object found) {
    return new IllegalArgumentException(
        "schema%s: expected %s, found %s".formatted(place, expected, found));
  }

  /** A keyword that is not supported, at all or in its circumstances. */
  static IllegalArgumentException keyword(String place, String keyword, String circumstance) {
    return new IllegalArgumentException(
        "schema%s: keyword \"%s\" is not supported %s".formatted(place, keyword, circumstance));
  }

  /**
   * A keyword that is none of those which are supported where it stands.
   *
   * @param circumstance empty for anywhere
   */
  static IllegalArgumentException keyword(
      String place, String keyword, String circumstance, Set<String> supported) {
    return new IllegalArgumentException(
        "schema%s: keyword \"%s\" is not supported%s; expected %s, or an annotation such as title"
            .formatted(
                place,
                keyword,
                circumstance.isEmpty() ? "" : " " + circumstance,
                String.join(", ", new TreeSet<>(supported))));
  }
}
