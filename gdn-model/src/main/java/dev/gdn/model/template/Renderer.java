package dev.gdn.model.template;

import java.util.ArrayList;
import java.util.List;

/** Runs statements. */
final class Renderer {
  /** What comes after a statement. */
  private enum Next {
    STATEMENT,
    ELEMENT,
    LOOP_END
  }

  private final Evaluator evaluator;
  private final Budget budget;
  private final LoopBorders borders;

  Renderer(Context context, LoopBorders borders) {
    evaluator = new Evaluator(context);
    budget = context.budget();
    this.borders = borders;
  }

  Evaluator evaluator() {
    return evaluator;
  }

  /** What a body prints. */
  String print(List<Statement> body, Scope scope) {
    Text out = new Text(budget);
    run(body, scope, out);
    return out.toString();
  }

  /** Prints a whole template. */
  void print(List<Statement> body, Scope scope, Text out) {
    run(body, scope, out);
  }

  private Next run(List<Statement> body, Scope scope, Text out) {
    for (Statement statement : body) {
      try {
        budget.enter();
        Next next = run(statement, scope, out);
        budget.leave();
        if (next != Next.STATEMENT) {
          return next;
        }
      } catch (Problem problem) {
        throw problem.at(statement.line());
      }
    }
    return Next.STATEMENT;
  }

  private Next run(Statement statement, Scope scope, Text out) {
    switch (statement) {
      case Statement.Print print -> out.append(print.text());
      case Statement.PrintValue print ->
          out.append(PythonText.str(evaluator.value(print.value(), scope), budget));
      case Statement.If choice -> {
        return choose(choice, scope, out);
      }
      case Statement.For loop -> {
        return loop(loop, scope, out);
      }
      case Statement.Break _ -> {
        return Next.LOOP_END;
      }
      case Statement.Continue _ -> {
        return Next.ELEMENT;
      }
      case Statement.Assign assign ->
          assign(assign.target(), evaluator.value(assign.value(), scope), scope);
      case Statement.Capture capture -> {
        Object printed = print(capture.body(), scope.inner());
        assign(capture.target(), filtered(printed, capture.filters(), scope), scope);
      }
      case Statement.FilterBlock block -> {
        Object printed = print(block.body(), scope.inner());
        out.append(PythonText.str(filtered(printed, block.filters(), scope), budget));
      }
      case Statement.With with -> {
        Scope inner = scope.inner();
        for (Statement.Assign variable : with.variables()) {
          assign(variable.target(), evaluator.value(variable.value(), scope), inner);
        }
        return run(with.body(), inner, out);
      }
      case Statement.Block block -> {
        return run(block.body(), scope, out);
      }
      case Statement.MacroDefinition macro ->
          scope.set(
              macro.name(), new Macro(macro.name(), macro.parameters(), macro.body(), scope, this));
      case Statement.CallBlock block -> {
        Macro caller = new Macro("caller", block.parameters(), block.body(), scope, this);
        Object called = evaluator.value(block.call().function(), scope);
        Arguments arguments = evaluator.arguments(block.call().arguments(), scope);
        Object value = evaluator.call(called, Macro.withCaller(arguments, caller));
        out.append(PythonText.str(value, budget));
      }
    }
    return Next.STATEMENT;
  }

  private Object filtered(Object value, List<Expression.Filter> filters, Scope scope) {
    Object filtered = value;
    for (Expression.Filter filter : filters) {
      filtered = evaluator.filter(filtered, filter, scope);
    }
    return filtered;
  }

  private Next choose(Statement.If choice, Scope scope, Text out) {
    for (Statement.Branch branch : choice.branches()) {
      if (evaluator.isTrue(branch.condition(), scope)) {
        return run(branch.body(), scope, out);
      }
    }
    return run(choice.otherwise(), scope, out);
  }

  private Next loop(Statement.For loop, Scope scope, Text out) {
    List<Object> elements = selected(loop, scope);
    if (elements.isEmpty()) {
      return run(loop.otherwise(), scope.inner(), out);
    }
    LoopVariable variable = new LoopVariable(elements);
    for (Object element : elements) {
      variable.advance();
      Scope inner = scope.inner();
      inner.set("loop", variable);
      assign(loop.target(), element, inner);
      borders.note(element, out);
      Next next = run(loop.body(), inner, out);
      borders.note(element, out);
      if (next == Next.LOOP_END) {
        break;
      }
    }
    return Next.STATEMENT;
  }

  /** The elements that the loop's condition lets through. */
  private List<Object> selected(Statement.For loop, Scope scope) {
    List<Object> elements = Values.elements(evaluator.value(loop.elements(), scope), budget);
    if (loop.condition().isEmpty()) {
      return elements;
    }
    List<Object> selected = new ArrayList<>();
    for (Object element : elements) {
      Scope inner = scope.inner();
      assign(loop.target(), element, inner);
      if (evaluator.isTrue(loop.condition().get(), inner)) {
        selected.add(element);
      }
    }
    return selected;
  }

  private void assign(Statement.Target target, Object value, Scope scope) {
    switch (target) {
      case Statement.Target.Variable variable -> scope.set(variable.name(), value);
      case Statement.Target.NamespaceAttribute attribute -> {
        if (!(scope.get(attribute.namespace()) instanceof Namespace space)) {
          throw new Problem("cannot assign attribute on non-namespace object");
        }
        space.attributes().put(attribute.name(), value);
      }
      case Statement.Target.Unpacked unpacked -> {
        List<Object> values = Values.elements(value, budget);
        List<Statement.Target> targets = unpacked.targets();
        if (values.size() != targets.size()) {
          throw new Problem(
              "expected %d values to unpack, found %d".formatted(targets.size(), values.size()));
        }
        for (int i = 0; i < targets.size(); i++) {
          assign(targets.get(i), values.get(i), scope);
        }
      }
    }
  }
}
