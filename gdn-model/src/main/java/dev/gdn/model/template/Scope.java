package dev.gdn.model.template;

import java.util.HashMap;
import java.util.Map;

/** Variables, and the scope around them, whose variables they hide. */
final class Scope {
  private final Scope outer;
  private final Map<String, Object> variables;

  private Scope(Scope outer, Map<String, Object> variables) {
    this.outer = outer;
    this.variables = variables;
  }

  /** The scope of a template, which has these variables from the start. */
  static Scope of(Map<String, Object> variables) {
    return new Scope(null, new HashMap<>(variables));
  }

  /** A scope within this one. */
  Scope inner() {
    return new Scope(this, new HashMap<>());
  }

  void set(String name, Object value) {
    variables.put(name, value);
  }

  /** A variable's value, or what is undefined. */
  Object get(String name) {
    for (Scope scope = this; scope != null; scope = scope.outer) {
      Object value = scope.variables.get(name);
      if (value != null || scope.variables.containsKey(name)) {
        return value;
      }
    }
    return Undefined.name(name);
  }
}
