package dev.gdn.model.template;

import java.time.ZonedDateTime;
import java.time.format.TextStyle;
import java.time.temporal.ChronoField;
import java.util.Locale;

/** Python's {@code strftime} in the locale C. */
final class TimeFormat {
  private TimeFormat() {}

  static String format(String format, Context context) {
    ZonedDateTime now = ZonedDateTime.now(context.clock());
    Text out = new Text(context.budget());
    for (int i = 0; i < format.length(); i++) {
      char c = format.charAt(i);
      if (c != '%' || i + 1 == format.length()) {
        out.append(c);
        continue;
      }
      boolean bare = format.charAt(i + 1) == '-' && i + 2 < format.length();
      i += bare ? 2 : 1;
      String field = field(format.charAt(i), now);
      out.append(bare ? withoutPadding(field) : field);
    }
    return out.toString();
  }

  /** A number without its zeros or blank in front; a directive with a minus sign wants it so. */
  private static String withoutPadding(String field) {
    return field.replaceFirst("^[ 0]+(?=[0-9]+$)", "");
  }

  private static String field(char directive, ZonedDateTime now) {
    return switch (directive) {
      case 'Y' -> "%04d".formatted(now.getYear());
      case 'y' -> two(now.getYear() % 100);
      case 'm' -> two(now.getMonthValue());
      case 'd' -> two(now.getDayOfMonth());
      case 'e' -> "%2d".formatted(now.getDayOfMonth());
      case 'j' -> "%03d".formatted(now.getDayOfYear());
      case 'B' -> now.getMonth().getDisplayName(TextStyle.FULL, Locale.ENGLISH);
      case 'b', 'h' -> now.getMonth().getDisplayName(TextStyle.SHORT, Locale.ENGLISH);
      case 'A' -> now.getDayOfWeek().getDisplayName(TextStyle.FULL, Locale.ENGLISH);
      case 'a' -> now.getDayOfWeek().getDisplayName(TextStyle.SHORT, Locale.ENGLISH);
      case 'H' -> two(now.getHour());
      case 'I' -> two(now.get(ChronoField.CLOCK_HOUR_OF_AMPM));
      case 'M' -> two(now.getMinute());
      case 'S' -> two(now.getSecond());
      case 'p' -> now.getHour() < 12 ? "AM" : "PM";
      case 'F' ->
          "%04d-%02d-%02d".formatted(now.getYear(), now.getMonthValue(), now.getDayOfMonth());
      case 'T' -> "%02d:%02d:%02d".formatted(now.getHour(), now.getMinute(), now.getSecond());
      case '%' -> "%";
      default ->
          throw new Problem("strftime_now: the directive %" + directive + " is not supported");
    };
  }

  private static String two(int number) {
    return "%02d".formatted(number);
  }
}
