package dev.gdn.model.template;

/** How one value stands to another in Python's order. */
enum Order {
  LESS,
  EQUAL,
  GREATER,
  /** Neither: one of them is not a number. */
  NONE;

  /**
   * @param comparison as {@link Comparable#compareTo} returns it
   */
  static Order of(int comparison) {
    return comparison < 0 ? LESS : comparison > 0 ? GREATER : EQUAL;
  }
}
