package dev.gdn.cli;

/** Messages may hold text from files; here they become one harmless line of bounded length. */
final class Message {
  private static final int LONGEST = 2000;
  private static final int HEAD = 1200;
  private static final int TAIL = 600;

  private Message() {}

  /**
   * The message with line ends as spaces and other control characters as {@code \}{@code uXXXX}, so
   * that it cannot steer a terminal. Of more than 2,000 characters the middle is left out.
   */
  static String line(String message) {
    return escape(shorten(message).replaceAll("\\R\\s*", " "));
  }

  /** So many of something, for example {@code 1 message} or {@code 2 messages}. */
  static String count(int count, String noun) {
    return count + " " + noun + (count == 1 ? "" : "s");
  }

  private static String shorten(String message) {
    int characters = message.codePointCount(0, message.length());
    if (characters <= LONGEST) {
      return message;
    }
    String head = message.substring(0, message.offsetByCodePoints(0, HEAD));
    String tail = message.substring(message.offsetByCodePoints(message.length(), -TAIL));
    return "%s … (%d characters left out) … %s".formatted(head, characters - HEAD - TAIL, tail);
  }

  private static String escape(String message) {
    StringBuilder line = new StringBuilder(message.length());
    for (int i = 0; i < message.length(); i++) {
      char c = message.charAt(i);
      if (Character.isISOControl(c) || isDirection(c)) {
        line.append("\\u%04x".formatted((int) c));
      } else {
        line.append(c);
      }
    }
    return line.toString();
  }

  // Marks that let a terminal show characters in another order.
  private static boolean isDirection(char c) {
    return c >= '\u202a' && c <= '\u202e' || c >= '\u2066' && c <= '\u2069';
  }
}
