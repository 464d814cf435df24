package dev.gdn.model.template;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LetterCaseTest {
  @Test
  void everyCharacterIsMappedAsTheUnicodeStandardSays() {
    for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
      if (Character.isDefined(c) && Character.getType(c) != Character.SURROGATE) {
        String text = Character.toString(c);
        assertEquals(text.toLowerCase(Locale.ROOT), LetterCase.lower(text), () -> text);
        assertEquals(text.toUpperCase(Locale.ROOT), LetterCase.upper(text), () -> text);
        // On the way that texts with a dotted I take.
        assertEquals(text.toLowerCase(Locale.ROOT) + "i\u0307", LetterCase.lower(text + "İ"));
      }
    }
  }

  @Test
  void textsAreThoseOfTheirCharacters() {
    SplittableRandom random = new SplittableRandom(1);
    String letters = "aZ Éßŉ𐐀中İij1'-";
    for (int i = 0; i < 2_000; i++) {
      StringBuilder made = new StringBuilder();
      for (int j = random.nextInt(12); j >= 0; j--) {
        made.appendCodePoint(letters.codePoints().toArray()[random.nextInt(14)]);
      }
      String text = made.toString();
      assertEquals(text.toLowerCase(Locale.ROOT), LetterCase.lower(text));
      assertEquals(text.toUpperCase(Locale.ROOT), LetterCase.upper(text));
    }
  }

  /** As Python 3.13 has it. */
  @Test
  void aCapitalSigmaBecomesAFinalOneAtTheEndOfAWord() {
    assertEquals("σ", LetterCase.lower("Σ"));
    assertEquals("aς", LetterCase.lower("AΣ"));
    assertEquals("aσb", LetterCase.lower("AΣB"));
    assertEquals("aς b", LetterCase.lower("AΣ B"));
    assertEquals("a'ς'", LetterCase.lower("A'Σ'"));
    assertEquals("a'σ'b", LetterCase.lower("A'Σ'B"));
    assertEquals(" σ.", LetterCase.lower(" Σ."));
    assertEquals("σσς", LetterCase.lower("ΣΣΣ"));
    assertEquals("𐐨ς", LetterCase.lower("𐐀Σ"));
  }
}
