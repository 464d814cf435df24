package dev.gdn.model.template;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Texts cut where a part stands in them, or at white space or line ends, and put together anew. */
final class TextParts {
  private TextParts() {}

  /**
   * The parts between separators.
   *
   * @param separator null for any white space, which then makes no empty parts
   * @param most the most cuts, any number if negative
   */
  static List<Object> split(String text, String separator, int most, Budget budget) {
    budget.characters(text.length());
    budget.search(text, separator == null ? "" : separator);
    List<Object> parts = new ArrayList<>();
    int from = separator == null ? blanksEnd(text, 0) : 0;
    while (most < 0 || parts.size() < most) {
      int at = separator == null ? blanks(text, from) : text.indexOf(separator, from);
      if (at < 0 || at == text.length() && separator == null) {
        break;
      }
      budget.step(1);
      parts.add(text.substring(from, at));
      from = separator == null ? blanksEnd(text, at) : at + separator.length();
    }
    if (separator != null || from < text.length()) {
      parts.add(text.substring(from));
    }
    return parts;
  }

  /** As {@link #split}, but separators are looked for from the end. */
  static List<Object> splitFromEnd(String text, String separator, int most, Budget budget) {
    if (separator == null) {
      if (most >= 0) {
        throw new Problem("rsplit: expected a separator with maxsplit, found none");
      }
      return split(text, null, most, budget);
    }
    budget.characters(text.length());
    budget.search(text, separator);
    List<Object> parts = new ArrayList<>();
    int end = text.length();
    while (most < 0 || parts.size() < most) {
      int at = text.lastIndexOf(separator, end - separator.length());
      if (at < 0) {
        break;
      }
      budget.step(1);
      parts.add(text.substring(at + separator.length(), end));
      end = at;
    }
    parts.add(text.substring(0, end));
    Collections.reverse(parts);
    return parts;
  }

  private static int blanks(String text, int from) {
    int at = from;
    while (at < text.length() && !PythonText.isSpace(text.charAt(at))) {
      at++;
    }
    return at;
  }

  private static int blanksEnd(String text, int from) {
    int at = from;
    while (at < text.length() && PythonText.isSpace(text.charAt(at))) {
      at++;
    }
    return at;
  }

  /** The lines without their ends; none behind the last line end. */
  static List<Object> lines(String text, Budget budget) {
    budget.characters(text.length());
    List<Object> lines = new ArrayList<>();
    int from = 0;
    while (from < text.length()) {
      int at = from;
      while (at < text.length() && !isLineEnd(text.charAt(at))) {
        at++;
      }
      budget.step(1);
      lines.add(text.substring(from, at));
      from = text.startsWith("\r\n", at) ? at + 2 : at + 1;
    }
    return lines;
  }

  private static boolean isLineEnd(char c) {
    return switch (c) {
      case '\n', '\r', 0x0b, '\f', 0x1c, 0x1d, 0x1e, 0x85, 0x2028, 0x2029 -> true;
      default -> false;
    };
  }

  /**
   * With a part replaced by another; an empty part stands between all characters.
   *
   * @param most how often, any number if negative
   */
  static String replace(String text, String part, String by, int most, Budget budget) {
    budget.search(text, part);
    Text out = new Text(budget);
    int from = 0;
    int at = text.indexOf(part);
    for (int count = 0; at >= 0 && (most < 0 || count < most); count++) {
      budget.step(1);
      out.append(text.substring(from, at)).append(by);
      from = at + part.length();
      if (part.isEmpty()) {
        if (at == text.length()) {
          break;
        }
        int next = at + Character.charCount(text.codePointAt(at));
        out.append(text.substring(at, next));
        from = next;
      }
      at = text.indexOf(part, from);
    }
    return out.append(text.substring(from)).toString();
  }
}
