package dev.gdn.model.template;

import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;

/** The methods of strings. */
final class StringMethods {
  private StringMethods() {}

  /** A method, or null if there is none of that name. */
  static Function find(String text, String name) {
    Function method = method(text, name);
    return method == null
        ? null
        : (arguments, context) -> {
          context.budget().read(text);
          return method.call(arguments, context);
        };
  }

  private static Function method(String text, String name) {
    return switch (name) {
      case "strip" ->
          (arguments, context) ->
              strip(text, characters(name, arguments), true, true, context.budget());
      case "lstrip" ->
          (arguments, context) ->
              strip(text, characters(name, arguments), true, false, context.budget());
      case "rstrip" ->
          (arguments, context) ->
              strip(text, characters(name, arguments), false, true, context.budget());
      case "split" ->
          (arguments, context) -> {
            Arguments.Bound bound = arguments.bind(name, "sep", "maxsplit");
            return TextParts.split(
                text, separatorOrNone(bound), bound.whole(1, -1), context.budget());
          };
      case "rsplit" ->
          (arguments, context) -> {
            Arguments.Bound bound = arguments.bind(name, "sep", "maxsplit");
            return TextParts.splitFromEnd(
                text, separatorOrNone(bound), bound.whole(1, -1), context.budget());
          };
      case "partition" ->
          (arguments, context) ->
              TextParts.partition(
                  text, separator(arguments.bind(name, "sep")), false, context.budget());
      case "rpartition" ->
          (arguments, context) ->
              TextParts.partition(
                  text, separator(arguments.bind(name, "sep")), true, context.budget());
      case "splitlines" ->
          (arguments, context) -> {
            arguments.bind(name);
            return TextParts.lines(text, context.budget());
          };
      case "startswith" ->
          (arguments, context) ->
              options(name, arguments, context).stream().anyMatch(text::startsWith);
      case "endswith" ->
          (arguments, context) ->
              options(name, arguments, context).stream().anyMatch(text::endsWith);
      case "removeprefix" ->
          (arguments, _) -> {
            String prefix = arguments.bind(name, "prefix").text(0);
            return text.startsWith(prefix) ? text.substring(prefix.length()) : text;
          };
      case "removesuffix" ->
          (arguments, _) -> {
            String suffix = arguments.bind(name, "suffix").text(0);
            return text.endsWith(suffix)
                ? text.substring(0, text.length() - suffix.length())
                : text;
          };
      case "replace" ->
          (arguments, context) -> {
            Arguments.Bound bound = arguments.bind(name, "old", "new", "count");
            return TextParts.replace(
                text, bound.text(0), bound.text(1), bound.whole(2, -1), context.budget());
          };
      case "find" ->
          (arguments, context) -> {
            String part = part(text, name, arguments, context);
            return place(text, text.indexOf(part));
          };
      case "rfind" ->
          (arguments, context) -> {
            String part = part(text, name, arguments, context);
            return place(text, text.lastIndexOf(part));
          };
      case "index" ->
          (arguments, context) -> {
            int at = text.indexOf(part(text, name, arguments, context));
            if (at < 0) {
              throw new Problem("substring not found");
            }
            return place(text, at);
          };
      case "count" ->
          (arguments, context) -> {
            String part = part(text, name, arguments, context);
            return part.isEmpty()
                ? Values.length(text) + 1
                : TextParts.split(text, part, -1, context.budget()).size() - 1L;
          };
      case "join" ->
          (arguments, context) -> join(text, arguments.bind(name, "iterable").get(0), context);
      case "lower", "casefold" ->
          (arguments, _) -> {
            arguments.bind(name);
            return LetterCase.lower(text);
          };
      case "upper" ->
          (arguments, _) -> {
            arguments.bind(name);
            return LetterCase.upper(text);
          };
      case "capitalize" ->
          (arguments, _) -> {
            arguments.bind(name);
            return capitalize(text);
          };
      case "title" ->
          (arguments, _) -> {
            arguments.bind(name);
            return title(text);
          };
      case "isdigit", "isdecimal", "isnumeric" ->
          (arguments, _) -> {
            arguments.bind(name);
            return all(text, Character::isDigit);
          };
      case "isalpha" ->
          (arguments, _) -> {
            arguments.bind(name);
            return all(text, Character::isLetter);
          };
      case "isalnum" ->
          (arguments, _) -> {
            arguments.bind(name);
            return all(text, Character::isLetterOrDigit);
          };
      case "isspace" ->
          (arguments, _) -> {
            arguments.bind(name);
            return all(text, PythonText::isSpace);
          };
      case "isupper" ->
          (arguments, _) -> {
            arguments.bind(name);
            return isUpper(text);
          };
      case "islower" ->
          (arguments, _) -> {
            arguments.bind(name);
            return isLower(text);
          };
      default -> null;
    };
  }

  static boolean isUpper(String text) {
    return !text.equals(LetterCase.lower(text)) && text.equals(LetterCase.upper(text));
  }

  static boolean isLower(String text) {
    return !text.equals(LetterCase.upper(text)) && text.equals(LetterCase.lower(text));
  }

  /** The part that is looked for. */
  private static String part(String text, String name, Arguments arguments, Context context) {
    String part = arguments.bind(name, "sub").text(0);
    context.budget().search(text, part);
    return part;
  }

  private static String characters(String name, Arguments arguments) {
    Arguments.Bound bound = arguments.bind(name, "chars");
    return bound.get(0, null) == null ? null : bound.text(0);
  }

  /** What a text is cut at; null for any white space. */
  private static String separatorOrNone(Arguments.Bound bound) {
    return bound.get(0, null) == null ? null : separator(bound);
  }

  private static String separator(Arguments.Bound bound) {
    if (bound.text(0).isEmpty()) {
      throw new Problem("empty separator");
    }
    return bound.text(0);
  }

  /** The texts that a beginning or an end is compared with: one, or a tuple of several. */
  private static List<String> options(String name, Arguments arguments, Context context) {
    Arguments.Bound bound = arguments.bind(name, "options");
    if (!(bound.get(0) instanceof Tuple tuple)) {
      return List.of(bound.text(0));
    }
    context.budget().step(tuple.items().size());
    for (Object option : tuple.items()) {
      if (option instanceof String compared) {
        context.budget().read(compared);
      } else {
        throw new Problem(name + ": expected strings, found " + Values.typeName(option));
      }
    }
    return tuple.items().stream().map(String.class::cast).toList();
  }

  private static boolean all(String text, IntPredicate condition) {
    return !text.isEmpty() && text.codePoints().allMatch(condition);
  }

  /** An index of {@code char}s as one of characters. */
  private static long place(String text, int at) {
    return at < 0 ? at : text.codePointCount(0, at);
  }

  /** Without the characters at its ends that are in a set; white space if that is null. */
  static String strip(String text, String characters, boolean start, boolean end, Budget budget) {
    if (characters == null) {
      return strip(text, PythonText::isSpace, start, end);
    }
    budget.read(characters);
    Set<Integer> set = characters.codePoints().boxed().collect(Collectors.toSet());
    return strip(text, set::contains, start, end);
  }

  /** Without the characters at its ends that a condition holds for. */
  static String strip(String text, IntPredicate isStripped, boolean start, boolean end) {
    int from = 0;
    int to = text.length();
    while (start && from < to && isStripped.test(text.codePointAt(from))) {
      from += Character.charCount(text.codePointAt(from));
    }
    while (end && from < to && isStripped.test(text.codePointBefore(to))) {
      to -= Character.charCount(text.codePointBefore(to));
    }
    return text.substring(from, to);
  }

  private static String join(String separator, Object iterable, Context context) {
    Text out = new Text(context.budget());
    String between = "";
    for (Object element : Values.elements(iterable, context.budget())) {
      if (!(element instanceof String part)) {
        throw new Problem("join: expected strings, found " + Values.typeName(element));
      }
      out.append(between).append(part);
      between = separator;
    }
    return out.toString();
  }

  static String capitalize(String text) {
    if (text.isEmpty()) {
      return text;
    }
    int end = text.offsetByCodePoints(0, 1);
    return titleCase(text.substring(0, end)) + LetterCase.lower(text.substring(end));
  }

  private static String titleCase(String character) {
    int title = Character.toTitleCase(character.codePointAt(0));
    return title == character.codePointAt(0)
        ? LetterCase.upper(character)
        : Character.toString(title);
  }

  /** Every letter behind one that is none in upper case, the others in lower case. */
  private static String title(String text) {
    StringBuilder out = new StringBuilder();
    boolean inWord = false;
    for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
      int c = text.codePointAt(i);
      String character = Character.toString(c);
      out.append(inWord ? LetterCase.lower(character) : titleCase(character));
      inWord = Character.isLetter(c);
    }
    return out.toString();
  }
}
