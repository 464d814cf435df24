package dev.gdn.model.template;

import java.util.List;

/** The variable {@code loop}: where a loop is. */
final class LoopVariable {
  private final List<Object> elements;
  private int index = -1;
  private List<Object> lastChecked; // by changed()

  LoopVariable(List<Object> elements) {
    this.elements = elements;
  }

  void advance() {
    index++;
  }

  long length() {
    return elements.size();
  }

  Object attribute(String name) {
    return switch (name) {
      case "index" -> index + 1L;
      case "index0" -> (long) index;
      case "revindex" -> length() - index;
      case "revindex0" -> length() - index - 1;
      case "first" -> index == 0;
      case "last" -> index == length() - 1;
      case "length" -> length();
      case "depth" -> 1L;
      case "depth0" -> 0L;
      case "previtem" -> element(index - 1, "there is no previous item");
      case "nextitem" -> element(index + 1, "there is no next item");
      case "cycle" -> (Function) (arguments, _) -> cycle(arguments.positional());
      case "changed" -> (Function) (arguments, context) -> changed(arguments.positional(), context);
      default -> new Undefined("'loop' has no attribute '" + name + "'");
    };
  }

  private Object element(int at, String problem) {
    return at >= 0 && at < elements.size() ? elements.get(at) : new Undefined(problem);
  }

  private Object cycle(List<Object> items) {
    if (items.isEmpty()) {
      throw new Problem("no items for cycling given");
    }
    return items.get(index % items.size());
  }

  private boolean changed(List<Object> values, Context context) {
    boolean changed = lastChecked == null || !Values.equal(lastChecked, values, context.budget());
    lastChecked = values;
    return changed;
  }
}
