package dev.gdn.model.template;

import java.util.List;
import java.util.Optional;

/** What a template does, one piece after another. */
sealed interface Statement {
  /** Where it begins, from 1. */
  int line();

  /** Prints text. */
  record Print(String text, int line) implements Statement {}

  /** Prints a value. */
  record PrintValue(Expression value, int line) implements Statement {}

  /** Runs the body of the first branch whose condition holds. */
  record If(List<Branch> branches, List<Statement> otherwise, int line) implements Statement {}

  /** A condition and what runs where it holds. */
  record Branch(Expression condition, List<Statement> body) {}

  /** Runs a body for each element that a condition lets through, or {@code otherwise} for none. */
  record For(
      Target target,
      Expression elements,
      Optional<Expression> condition,
      List<Statement> body,
      List<Statement> otherwise,
      int line)
      implements Statement {}

  /** Leaves a loop. */
  record Break(int line) implements Statement {}

  /** Goes on with a loop's next element. */
  record Continue(int line) implements Statement {}

  /** Sets what a target names to a value. */
  record Assign(Target target, Expression value, int line) implements Statement {}

  /** Sets what a target names to what a body prints, filtered. */
  record Capture(Target target, List<Expression.Filter> filters, List<Statement> body, int line)
      implements Statement {}

  /** Prints what a body prints, filtered. */
  record FilterBlock(List<Expression.Filter> filters, List<Statement> body, int line)
      implements Statement {}

  /** Runs a body with variables of its own. */
  record With(List<Assign> variables, List<Statement> body, int line) implements Statement {}

  /** Runs a body: {@code generation}, which only training needs to find. */
  record Block(List<Statement> body, int line) implements Statement {}

  /** Sets a name to a macro. */
  record MacroDefinition(String name, List<Parameter> parameters, List<Statement> body, int line)
      implements Statement {}

  /** A name of a macro's argument, and the value where none is given. */
  record Parameter(String name, Optional<Expression> otherwise) {}

  /** Calls a macro that can call this body as {@code caller}. */
  record CallBlock(Expression.Call call, List<Parameter> parameters, List<Statement> body, int line)
      implements Statement {}

  /** What can be assigned to. */
  sealed interface Target {
    /** A variable. */
    record Variable(String name) implements Target {}

    /** An attribute of a namespace. */
    record NamespaceAttribute(String namespace, String name) implements Target {}

    /** One target for each element of the value. */
    record Unpacked(List<Target> targets) implements Target {}
  }
}
