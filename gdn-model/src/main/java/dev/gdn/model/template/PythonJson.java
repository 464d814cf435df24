package dev.gdn.model.template;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * JSON as Python's {@code json.dumps} writes it.
 *
 * @param ascii whether other characters than those of ASCII are escaped
 * @param indent what each level is indented by, or null for all on one line
 * @param item what stands between the elements of a list
 * @param key what stands between a key and its value
 * @param sorted whether keys are sorted
 */
record PythonJson(boolean ascii, String indent, String item, String key, boolean sorted) {
  String write(Object value, Budget budget) {
    Text out = new Text(budget);
    write(value, out, 0, budget);
    return out.toString();
  }

  private void write(Object value, Text out, int level, Budget budget) {
    budget.enter();
    switch (value) {
      case null -> out.append("null");
      case Boolean flag -> out.append(flag.toString());
      case Long number -> out.append(number.toString());
      case BigInteger number -> out.append(number.toString());
      case Double number -> out.append(real(number));
      case String text -> quote(text, out);
      case List<?> list -> list(list, out, level, budget);
      case Tuple tuple -> list(tuple.items(), out, level, budget);
      case Map<?, ?> map -> map(map, out, level, budget);
      default ->
          throw new Problem(
              "Object of type %s is not JSON serializable".formatted(Values.typeName(value)));
    }
    budget.leave();
  }

  private void list(List<?> list, Text out, int level, Budget budget) {
    if (list.isEmpty()) {
      out.append("[]");
      return;
    }
    out.append('[');
    for (int i = 0; i < list.size(); i++) {
      begin(i == 0, out, level + 1);
      write(list.get(i), out, level + 1, budget);
    }
    newLine(out, level);
    out.append(']');
  }

  private void map(Map<?, ?> map, Text out, int level, Budget budget) {
    if (map.isEmpty()) {
      out.append("{}");
      return;
    }
    List<Map.Entry<?, ?>> entries = new ArrayList<>(map.entrySet());
    if (sorted) {
      entries.sort((a, b) -> Values.compare(a.getKey(), b.getKey(), budget));
    }
    out.append('{');
    for (int i = 0; i < entries.size(); i++) {
      begin(i == 0, out, level + 1);
      quote(name(entries.get(i).getKey()), out);
      out.append(key);
      write(entries.get(i).getValue(), out, level + 1, budget);
    }
    newLine(out, level);
    out.append('}');
  }

  private void begin(boolean first, Text out, int level) {
    if (!first) {
      out.append(item);
    }
    newLine(out, level);
  }

  private void newLine(Text out, int level) {
    if (indent != null) {
      out.append('\n').repeat(indent, level);
    }
  }

  private static String name(Object key) {
    return switch (key) {
      case null -> "null";
      case Double number -> real(number);
      default -> key.toString(); // a string or a whole number
    };
  }

  private static String real(double number) {
    if (Double.isNaN(number)) {
      return "NaN";
    }
    if (Double.isInfinite(number)) {
      return number > 0 ? "Infinity" : "-Infinity";
    }
    return PythonText.real(number);
  }

  private void quote(String text, Text out) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        case '\f' -> out.append("\\f");
        case '\b' -> out.append("\\b");
        default -> {
          if (c < ' ' || (ascii && c > '~')) {
            out.append("\\u%04x".formatted((int) c));
          } else {
            out.append(c);
          }
        }
      }
    }
    out.append('"');
  }
}
