package dev.gdn.model.template;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.gdn.model.error.TemplateException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Times as Python 3 writes them on Linux, in the locale C. */
class TimeFormatTest {
  private static final String PADDED = "%Y|%y|%m|%d|%e|%j|%H|%I|%M|%S|%F|%T|%%";
  private static final String BARE = "%-y|%-m|%-d|%-e|%-j|%-H|%-I|%-M|%-S|%-p|%-B|%-F|%-T|%-%";
  private static final String NAMES = "%B %b %h %A %a %p";

  private static String format(String format, String instant) {
    return Template.parse("{{ strftime_now(format) }}")
        .render(Map.of("format", format), Clock.fixed(Instant.parse(instant), ZoneOffset.UTC));
  }

  @ParameterizedTest
  @CsvSource({
    "2004-01-07T00:05:09Z, 2004|04|01|07| 7|007|00|12|05|09|2004-01-07|00:05:09|%",
    "2000-12-31T12:00:00Z, 2000|00|12|31|31|366|12|12|00|00|2000-12-31|12:00:00|%",
    "2099-11-10T23:59:59Z, 2099|99|11|10|10|314|23|11|59|59|2099-11-10|23:59:59|%"
  })
  void numbersArePadded(String instant, String expected) {
    assertEquals(expected, format(PADDED, instant));
  }

  @ParameterizedTest
  @CsvSource({
    "2004-01-07T00:05:09Z, 4|1|7|7|7|0|12|5|9|AM|January|2004-01-07|00:05:09|%",
    "2000-12-31T12:00:00Z, 0|12|31|31|366|12|12|0|0|PM|December|2000-12-31|12:00:00|%",
    "2099-11-10T23:59:59Z, 99|11|10|10|314|23|11|59|59|PM|November|2099-11-10|23:59:59|%"
  })
  void aMinusSignTakesThePaddingAway(String instant, String expected) {
    assertEquals(expected, format(BARE, instant));
  }

  @ParameterizedTest
  @CsvSource({
    "2004-01-07T11:59:59Z, January Jan Jan Wednesday Wed AM",
    "2001-09-09T12:00:00Z, September Sep Sep Sunday Sun PM"
  })
  void namesAreEnglish(String instant, String expected) {
    assertEquals(expected, format(NAMES, instant));
  }

  @Test
  void aPercentSignAtTheEndStandsForItself() {
    assertEquals("2004%", format("%Y%", "2004-01-07T00:00:00Z"));
  }

  @ParameterizedTest
  @CsvSource({"%Q, %Q", "%Y%-, %-", "%-Q, %Q"})
  void unknownDirectivesAreRefused(String format, String directive) {
    TemplateException e =
        assertThrows(TemplateException.class, () -> format(format, "2004-01-07T00:00:00Z"));
    assertEquals(
        "strftime_now: the directive %s is not supported".formatted(directive), e.problem());
  }
}
