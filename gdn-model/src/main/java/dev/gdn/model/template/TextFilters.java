package dev.gdn.model.template;

import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Filters that take a value as text. */
final class TextFilters {
  private static final Pattern BEFORE_WORD = Pattern.compile("[-\\s({\\[<]");

  static final Map<String, Filters.Filter> ALL =
      Map.ofEntries(
          Map.entry("capitalize", TextFilters::capitalize),
          Map.entry("e", TextFilters::escape),
          Map.entry("escape", TextFilters::escape),
          Map.entry("indent", TextFilters::indent),
          Map.entry("lower", TextFilters::lower),
          Map.entry("replace", TextFilters::replace),
          Map.entry("safe", TextFilters::string),
          Map.entry("string", TextFilters::string),
          Map.entry("title", TextFilters::title),
          Map.entry("tojson", TextFilters::toJson),
          Map.entry("trim", TextFilters::trim),
          Map.entry("upper", TextFilters::upper));

  private TextFilters() {}

  private static String str(Object value, Context context) {
    return PythonText.str(value, context.budget());
  }

  private static Object string(Object value, Arguments arguments, Context context) {
    arguments.bind("string");
    return str(value, context);
  }

  private static Object lower(Object value, Arguments arguments, Context context) {
    arguments.bind("lower");
    return LetterCase.lower(str(value, context));
  }

  private static Object upper(Object value, Arguments arguments, Context context) {
    arguments.bind("upper");
    return LetterCase.upper(str(value, context));
  }

  private static Object capitalize(Object value, Arguments arguments, Context context) {
    arguments.bind("capitalize");
    return StringMethods.capitalize(str(value, context));
  }

  private static Object title(Object value, Arguments arguments, Context context) {
    arguments.bind("title");
    String text = str(value, context);
    StringBuilder out = new StringBuilder();
    int from = 0;
    Matcher border = BEFORE_WORD.matcher(text);
    while (border.find()) {
      out.append(StringMethods.capitalize(text.substring(from, border.start())));
      out.append(border.group());
      from = border.end();
    }
    return out.append(StringMethods.capitalize(text.substring(from))).toString();
  }

  private static Object trim(Object value, Arguments arguments, Context context) {
    Arguments.Bound bound = arguments.bind("trim", "chars");
    String characters = bound.get(0, null) == null ? null : bound.text(0);
    return StringMethods.strip(str(value, context), characters, true, true, context.budget());
  }

  private static Object replace(Object value, Arguments arguments, Context context) {
    Arguments.Bound bound = arguments.bind("replace", "old", "new", "count");
    int most = bound.get(2, null) == null ? -1 : bound.whole(2);
    return TextParts.replace(
        str(value, context),
        str(bound.get(0), context),
        str(bound.get(1), context),
        most,
        context.budget());
  }

  private static Object indent(Object value, Arguments arguments, Context context) {
    Arguments.Bound bound = arguments.bind("indent", "width", "first", "blank");
    Budget budget = context.budget();
    boolean isText = bound.get(0, null) instanceof String;
    String indentation =
        isText ? bound.text(0) : new Text(budget).repeat(" ", bound.whole(0, 4)).toString();
    List<Object> lines = TextParts.lines(str(value, context) + "\n", budget);
    Text out = new Text(budget);
    for (int i = 0; i < lines.size(); i++) {
      String line = (String) lines.get(i);
      boolean indents = i == 0 ? bound.flag(1, false) : bound.flag(2, false) || !line.isEmpty();
      out.append(i == 0 ? "" : "\n").append(indents ? indentation : "").append(line);
    }
    return out.toString();
  }

  private static Object escape(Object value, Arguments arguments, Context context) {
    arguments.bind("escape");
    Text out = new Text(context.budget());
    for (char c : str(value, context).toCharArray()) {
      switch (c) {
        case '&' -> out.append("&amp;");
        case '<' -> out.append("&lt;");
        case '>' -> out.append("&gt;");
        case '\'' -> out.append("&#39;");
        case '"' -> out.append("&#34;");
        default -> out.append(c);
      }
    }
    return out.toString();
  }

  /** As transformers defines it: Python's JSON, without Jinja's escapes for HTML. */
  private static Object toJson(Object value, Arguments arguments, Context context) {
    Arguments.Bound bound =
        arguments.bind("tojson", "ensure_ascii", "indent", "separators", "sort_keys");
    String indent = jsonIndent(bound, context.budget());
    String item = indent == null ? ", " : ",";
    String key = ": ";
    if (bound.get(2, null) != null) {
      List<Object> separators = Values.elements(bound.get(2), context.budget());
      if (separators.size() != 2
          || !(separators.get(0) instanceof String first)
          || !(separators.get(1) instanceof String second)) {
        throw new Problem("tojson: expected two strings as separators");
      }
      item = first;
      key = second;
    }
    return new PythonJson(bound.flag(0, false), indent, item, key, bound.flag(3, false))
        .write(value, context.budget());
  }

  private static String jsonIndent(Arguments.Bound bound, Budget budget) {
    Object indent = bound.get(1, null);
    if (indent == null || indent instanceof String) {
      return (String) indent;
    }
    return new Text(budget).repeat(" ", bound.whole(1)).toString();
  }
}
