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
  private static final long STEPS_PER_CHARACTER = 4;

  /** Characters that a step looks at, and those that one compares. */
  private static final int READ_PER_STEP = 16;

  private static final int COMPARED_PER_STEP = 256;
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
        Math.min(BASE_STEPS + STEPS_PER_VALUE * values + STEPS_PER_CHARACTER * characters, MOST),
        Math.min(BASE_CHARACTERS + CHARACTERS_PER_CHARACTER * characters, MOST));
  }

  /** Takes steps: nodes evaluated, elements made or looked at. */
  void step(long count) {
    if (count > steps) {
      throw new Problem("the template takes too many steps for what it is given");
    }
    steps -= count;
  }

  /** Takes steps for a text that is looked through. */
  void read(String text) {
    step(text.length() / READ_PER_STEP);
  }

  /** Takes steps for a search, which may compare all of the part at every place of the text. */
  void search(String text, String part) {
    read(text);
    step((long) Math.max(text.length() - part.length(), 0) * part.length() / COMPARED_PER_STEP);
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
