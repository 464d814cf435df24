package dev.gdn.model.template;

import java.util.Locale;

/**
 * Texts in upper and lower case, as Python has them, in time that is linear in the text: {@link
 * String#toLowerCase} looks for a word's end at every capital sigma, and {@link String#toUpperCase}
 * copies all of the text at every character that becomes two.
 */
final class LetterCase {
  private static final int SIGMA = 'Σ';
  private static final int DOTTED_I = 'İ';

  /** Punctuation that a word may hold (Word_Break of MidLetter, MidNumLet and Single_Quote). */
  private static final String WITHIN_WORDS =
      "'.:\u00b7\u0387\u055f\u05f4\u2018\u2019\u2024\u2027\ufe13\ufe52\ufe55\uff07\uff0e\uff1a";

  private LetterCase() {}

  static String lower(String text) {
    if (text.indexOf(SIGMA) < 0 && text.indexOf(DOTTED_I) < 0) {
      return text.toLowerCase(Locale.ROOT);
    }
    StringBuilder lower = new StringBuilder(text.length());
    for (int at = 0; at < text.length(); ) {
      int character = text.codePointAt(at);
      int next = at + Character.charCount(character);
      switch (character) {
        case SIGMA -> lower.append(endsWord(text, at, next) ? 'ς' : 'σ');
        case DOTTED_I -> lower.append("i\u0307");
        default -> lower.appendCodePoint(Character.toLowerCase(character));
      }
      at = next;
    }
    return lower.toString();
  }

  static String upper(String text) {
    if (text.chars().allMatch(c -> c < 0x80)) {
      return text.toUpperCase(Locale.ROOT);
    }
    StringBuilder upper = new StringBuilder(text.length());
    text.codePoints().forEach(c -> upper.append(Character.toString(c).toUpperCase(Locale.ROOT)));
    return upper.toString();
  }

  /** Final_Sigma of the Unicode Standard: behind a cased letter, and before none. */
  private static boolean endsWord(String text, int from, int to) {
    int before = from;
    while (before > 0 && isIgnored(text.codePointBefore(before))) {
      before -= Character.charCount(text.codePointBefore(before));
    }
    int after = to;
    while (after < text.length() && isIgnored(text.codePointAt(after))) {
      after += Character.charCount(text.codePointAt(after));
    }
    return before > 0
        && isCased(text.codePointBefore(before))
        && (after == text.length() || !isCased(text.codePointAt(after)));
  }

  private static boolean isCased(int character) {
    return Character.isUpperCase(character)
        || Character.isLowerCase(character)
        || Character.isTitleCase(character);
  }

  private static boolean isIgnored(int character) {
    return switch (Character.getType(character)) {
      case Character.MODIFIER_LETTER,
          Character.NON_SPACING_MARK,
          Character.ENCLOSING_MARK,
          Character.FORMAT,
          Character.MODIFIER_SYMBOL ->
          true;
      default -> WITHIN_WORDS.indexOf(character) >= 0;
    };
  }
}
