package dev.gdn.model.template;

/**
 * What a rendering may use up. A template may loop, call itself and double a text, so every step,
 * every character made and every level of nesting is counted before it is taken.
 */
final class Budget {
  /** Levels of nesting, of which each takes a few stack frames. */
  static final int DEPTH = 250;

  private static final long BASE_STEPS = 2_000_000;
  private static final long STEPS_PER_VALUE = 2_000;
  private static final long BASE_CHARACTERS = 4L << 20;
  private static final long CHARACTERS_PER_CHARACTER = 100;
  private static final long MOST = 1 << 30;

  private long steps;
  private long characters;
  private int depth;

  private Budget(long steps, long characters) {
    this.steps = steps;
    this.characters = characters;
  }

  /**
   * The budget for a conversation.
   *
   * @param values in it, nested ones included
   * @param characters of its texts, all together
   */
  static Budget forInput(long values, long characters) {
    return new Budget(
        Math.min(BASE_STEPS + STEPS_PER_VALUE * values, MOST),
        Math.min(BASE_CHARACTERS + CHARACTERS_PER_CHARACTER * characters, MOST));
  }

  /** Takes steps: nodes evaluated, elements made or looked at. */
  void step(long count) {
    if (count > steps) {
      throw new Problem("the template takes too many steps for what it is given");
    }
    steps -= count;
  }

  /** Takes characters of a text that is about to be made. */
  void characters(long count) {
    if (count > characters) {
      throw new Problem("the template makes too much text for what it is given");
    }
    characters -= count;
  }

  /**
   * Goes one level deeper, into an expression, a body, a macro or a value; {@link #leave} ends it.
   */
  void enter() {
    if (++depth > DEPTH) {
      throw new Problem("nested more than " + DEPTH + " levels deep");
    }
    step(1);
  }

  void leave() {
    depth--;
  }
}
