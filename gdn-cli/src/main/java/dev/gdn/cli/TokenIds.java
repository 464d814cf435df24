package dev.gdn.cli;

/** A list of token ids as {@code tokenize} prints it: whole numbers with commas between them. */
final class TokenIds {
  private TokenIds() {}

  /**
   * Reads a list of at least one id.
   *
   * @param option names the list in messages
   * @throws InputException if a part of it is no whole number from 0 to 2^31 - 1 in plain digits
   */
  static int[] parse(String option, String list) {
    String[] parts = list.split(",", -1);
    int[] ids = new int[parts.length];
    for (int i = 0; i < parts.length; i++) {
      ids[i] = id(option, parts[i], i + 1);
    }
    return ids;
  }

  private static int id(String option, String part, int place) {
    // Integer.parseInt takes signs and the digits of all scripts.
    if (!part.isEmpty() && part.chars().allMatch(c -> c >= '0' && c <= '9')) {
      try {
        return Integer.parseInt(part);
      } catch (NumberFormatException e) {
        throw noId(option, part, place, e);
      }
    }
    throw noId(option, part, place, null);
  }

  private static InputException noId(
      String option, String part, int place, NumberFormatException cause) {
    return new InputException(
        "%s: expected token ids such as 1,2,3, found %s in place %d"
            .formatted(option, part.isEmpty() ? "nothing" : part, place),
        cause);
  }
}
