package dev.gdn.model.template;

import java.util.List;
import java.util.Optional;

/** What has a value. */
sealed interface Expression {
  /** A literal number, string, truth value or {@code none}. */
  record Constant(Object value) implements Expression {}

  /** A variable. */
  record Name(String name) implements Expression {}

  /** {@code [a, b]}. */
  record ListOf(List<Expression> items) implements Expression {}

  /** {@code (a, b)}. */
  record TupleOf(List<Expression> items) implements Expression {}

  /** {@code {a: b}}. */
  record MapOf(List<Entry> entries) implements Expression {}

  /** A key and its value. */
  record Entry(Expression key, Expression value) {}

  /** {@code of.name}. */
  record Attribute(Expression of, String name) implements Expression {}

  /** {@code of[key]}. */
  record Item(Expression of, Expression key) implements Expression {}

  /** {@code of[from:to:step]}, {@code none} for what is left out. */
  record Slice(Expression of, Expression from, Expression to, Expression step)
      implements Expression {}

  /** {@code function(arguments)}. */
  record Call(Expression function, CallArguments arguments) implements Expression {}

  /** What stands in the parentheses of a call. */
  record CallArguments(List<Expression> positional, List<Named> named) {
    static final CallArguments NONE = new CallArguments(List.of(), List.of());
  }

  /** {@code name=value}. */
  record Named(String name, Expression value) {}

  /** {@code operand|filter}. */
  record Filtered(Expression operand, Filter filter) implements Expression {}

  /** {@code name(arguments)} behind a bar. */
  record Filter(String name, CallArguments arguments) {}

  /** {@code operand is name arguments}. */
  record Test(Expression operand, String name, CallArguments arguments) implements Expression {}

  /** {@code -operand} or {@code +operand}. */
  record Sign(boolean negative, Expression operand) implements Expression {}

  /** Arithmetic, and what Python writes with its operators. */
  record Binary(String operator, Expression left, Expression right) implements Expression {}

  /** {@code a ~ b ~ c}. */
  record Concatenation(List<Expression> parts) implements Expression {}

  /** {@code first < b == c}: every neighbour must hold. */
  record Comparison(Expression first, List<Compared> rest) implements Expression {}

  /** An operator and what stands behind it. */
  record Compared(String operator, Expression right) {}

  /** {@code not operand}. */
  record Not(Expression operand) implements Expression {}

  /** {@code left and right}: the first that decides. */
  record And(Expression left, Expression right) implements Expression {}

  /** {@code left or right}: the first that decides. */
  record Or(Expression left, Expression right) implements Expression {}

  /** {@code then if condition else otherwise}. */
  record Conditional(Expression condition, Expression then, Optional<Expression> otherwise)
      implements Expression {}
}
