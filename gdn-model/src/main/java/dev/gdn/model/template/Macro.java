package dev.gdn.model.template;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A body of statements that a template calls; its value is what the body prints. */
final class Macro implements Function {
  private static final String CALLER = "caller";

  private final String name;
  private final List<Statement.Parameter> parameters;
  private final List<Statement> body;
  private final Scope definition;
  private final Renderer renderer;

  Macro(
      String name,
      List<Statement.Parameter> parameters,
      List<Statement> body,
      Scope definition,
      Renderer renderer) {
    this.name = name;
    this.parameters = parameters;
    this.body = body;
    this.definition = definition;
    this.renderer = renderer;
  }

  /** Arguments to which the body of a call block is added. */
  static Arguments withCaller(Arguments arguments, Macro caller) {
    Map<String, Object> named = new HashMap<>(arguments.named());
    named.put(CALLER, caller);
    return new Arguments(arguments.positional(), named);
  }

  @Override
  public Object call(Arguments arguments, Context context) {
    Map<String, Object> named = new HashMap<>(arguments.named());
    Scope scope = definition.inner();
    if (named.containsKey(CALLER)) {
      scope.set(CALLER, named.remove(CALLER));
    }
    String[] names = parameters.stream().map(Statement.Parameter::name).toArray(String[]::new);
    if (arguments.positional().size() > names.length) {
      throw new Problem(
          "macro '%s' takes not more than %d argument(s)".formatted(name, names.length));
    }
    Arguments.Bound bound =
        new Arguments(arguments.positional(), named).bind("macro '" + name + "'", names);
    for (int i = 0; i < names.length; i++) {
      scope.set(names[i], bound.has(i) ? bound.get(i) : otherwise(parameters.get(i), scope));
    }
    return renderer.print(body, scope);
  }

  private Object otherwise(Statement.Parameter parameter, Scope scope) {
    return parameter.otherwise().isPresent()
        ? renderer.evaluator().value(parameter.otherwise().get(), scope)
        : new Undefined("parameter '" + parameter.name() + "' was not provided");
  }
}
