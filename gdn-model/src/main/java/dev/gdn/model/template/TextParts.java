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
    budget.characters(text.length());
    budget.search(text, separator == null ? "" : separator);
    List<Object> parts = new ArrayList<>();
    int end = separator == null ? blanksStart(text, text.length()) : text.length();
    while (most < 0 || parts.size() < most) {
      int from = separator == null ? wordStart(text, end) : partEnd(text, separator, end);
      if (from == 0) {
        break;
      }
      budget.step(1);
      parts.add(text.substring(from, end));
      end = separator == null ? blanksStart(text, from) : from - separator.length();
    }
    if (separator != null || end > 0) {
      parts.add(text.substring(0, end));
    }
    Collections.reverse(parts);
    return parts;
  }

  /** The end of the last separator before {@code to}, 0 if there is none. */
  private static int partEnd(String text, String separator, int to) {
    int at = text.lastIndexOf(separator, to - separator.length());
    return at < 0 ? 0 : at + separator.length();
  }

  private static int wordStart(String text, int to) {
    int at = to;
    while (at > 0 && !PythonText.isSpace(text.charAt(at - 1))) {
      at--;
    }
    return at;
  }

  private static int blanksStart(String text, int to) {
    int at = to;
    while (at > 0 && PythonText.isSpace(text.charAt(at - 1))) {
      at--;
    }
    return at;
  }

  /**
   * What stands before a separator, the separator, and what stands behind it.
   *
   * @param last whether the last separator counts; where there is none, the text then stands last
   */
  static Tuple partition(String text, String separator, boolean last, Budget budget) {
    budget.characters(text.length());
    budget.search(text, separator);
    int at = last ? text.lastIndexOf(separator) : text.indexOf(separator);
    if (at < 0) {
      return last ? Tuple.of("", "", text) : Tuple.of(text, "", "");
    }
    return Tuple.of(text.substring(0, at), separator, text.substring(at + separator.length()));
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
