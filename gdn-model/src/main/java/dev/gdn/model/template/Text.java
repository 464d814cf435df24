package dev.gdn.model.template;

/** A text being made, counted as it grows. */
final class Text {
  private final StringBuilder text = new StringBuilder();
  private final Budget budget;

  Text(Budget budget) {
    this.budget = budget;
  }

  Text append(String part) {
    budget.characters(part.length());
    text.append(part);
    return this;
  }

  Text append(char c) {
    budget.characters(1);
    text.append(c);
    return this;
  }

  /** Appends a part several times; none if {@code count} is negative. */
  Text repeat(String part, long count) {
    if (count > 0) {
      budget.step(count); // of an empty part too
      budget.characters(Math.multiplyExact(part.length(), count));
      text.repeat(part, (int) count);
    }
    return this;
  }

  int length() {
    return text.length();
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
