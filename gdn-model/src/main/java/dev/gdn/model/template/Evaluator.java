package dev.gdn.model.template;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The values of expressions. */
final class Evaluator {
  private final Context context;
  private final Budget budget;

  Evaluator(Context context) {
    this.context = context;
    budget = context.budget();
  }

  /**
   * @throws Problem if there is none
   */
  Object value(Expression expression, Scope scope) {
    budget.enter();
    Object value =
        switch (expression) {
          case Expression.Constant constant -> constant.value();
          case Expression.Name name -> scope.get(name.name());
          case Expression.ListOf list -> values(list.items(), scope);
          case Expression.TupleOf tuple -> new Tuple(values(tuple.items(), scope));
          case Expression.MapOf map -> map(map, scope);
          case Expression.Attribute attribute ->
              Attributes.attribute(value(attribute.of(), scope), attribute.name());
          case Expression.Item item ->
              Attributes.item(value(item.of(), scope), value(item.key(), scope), budget);
          case Expression.Slice slice -> slice(slice, scope);
          case Expression.Call call -> call(call, scope);
          case Expression.Filtered filtered ->
              filter(value(filtered.operand(), scope), filtered.filter(), scope);
          case Expression.Test test ->
              Tests.apply(
                  test.name(),
                  value(test.operand(), scope),
                  arguments(test.arguments(), scope),
                  context);
          case Expression.Sign sign -> sign(sign, scope);
          case Expression.Binary binary ->
              Operators.apply(
                  binary.operator(),
                  value(binary.left(), scope),
                  value(binary.right(), scope),
                  budget);
          case Expression.Concatenation concatenation -> concatenate(concatenation, scope);
          case Expression.Comparison comparison -> compare(comparison, scope);
          case Expression.Not not -> !isTrue(not.operand(), scope);
          case Expression.And and -> {
            Object left = value(and.left(), scope);
            yield Values.isTrue(left) ? value(and.right(), scope) : left;
          }
          case Expression.Or or -> {
            Object left = value(or.left(), scope);
            yield Values.isTrue(left) ? left : value(or.right(), scope);
          }
          case Expression.Conditional conditional -> conditional(conditional, scope);
        };
    budget.leave();
    return value;
  }

  boolean isTrue(Expression expression, Scope scope) {
    return Values.isTrue(value(expression, scope));
  }

  /** A value with a filter applied. */
  Object filter(Object value, Expression.Filter filter, Scope scope) {
    Arguments arguments = arguments(filter.arguments(), scope);
    return counted(Filters.apply(filter.name(), value, arguments, context));
  }

  /** Counts a text that an operation may have made without counting it. */
  private Object counted(Object value) {
    if (value instanceof String text) {
      budget.characters(text.length());
    }
    return value;
  }

  private List<Object> values(List<Expression> expressions, Scope scope) {
    List<Object> values = new ArrayList<>(expressions.size());
    for (Expression expression : expressions) {
      values.add(value(expression, scope));
    }
    return values;
  }

  private Map<Object, Object> map(Expression.MapOf map, Scope scope) {
    Map<Object, Object> values = new LinkedHashMap<>();
    for (Expression.Entry entry : map.entries()) {
      values.put(Values.key(value(entry.key(), scope), budget), value(entry.value(), scope));
    }
    return values;
  }

  private Object slice(Expression.Slice slice, Scope scope) {
    return Attributes.slice(
        value(slice.of(), scope),
        value(slice.from(), scope),
        value(slice.to(), scope),
        value(slice.step(), scope),
        budget);
  }

  private Object call(Expression.Call call, Scope scope) {
    return call(value(call.function(), scope), arguments(call.arguments(), scope));
  }

  /** Calls a value. */
  Object call(Object called, Arguments arguments) {
    return switch (called) {
      case Function function -> counted(function.call(arguments, context));
      case Undefined undefined -> throw undefined.failure();
      case null, default ->
          throw new Problem("'%s' object is not callable".formatted(Values.typeName(called)));
    };
  }

  /** The values of arguments. */
  Arguments arguments(Expression.CallArguments arguments, Scope scope) {
    Map<String, Object> named = new LinkedHashMap<>();
    List<Object> positional = values(arguments.positional(), scope);
    for (Expression.Named argument : arguments.named()) {
      named.put(argument.name(), value(argument.value(), scope));
    }
    return new Arguments(positional, named);
  }

  private Object sign(Expression.Sign sign, Scope scope) {
    Object operand = value(sign.operand(), scope);
    if (operand instanceof Undefined undefined) {
      throw undefined.failure();
    }
    if (!Values.isNumber(operand)) {
      throw new Problem(
          "bad operand type for unary %s: '%s'"
              .formatted(sign.negative() ? "-" : "+", Values.typeName(operand)));
    }
    if (sign.negative()) {
      return Numbers.negate(operand);
    }
    return operand instanceof Boolean ? Numbers.whole(operand) : operand;
  }

  private String concatenate(Expression.Concatenation concatenation, Scope scope) {
    Text text = new Text(budget);
    for (Expression part : concatenation.parts()) {
      text.append(PythonText.str(value(part, scope), budget));
    }
    return text.toString();
  }

  private boolean compare(Expression.Comparison comparison, Scope scope) {
    Object left = value(comparison.first(), scope);
    for (Expression.Compared compared : comparison.rest()) {
      Object right = value(compared.right(), scope);
      if (!Operators.holds(compared.operator(), left, right, budget)) {
        return false;
      }
      left = right;
    }
    return true;
  }

  private Object conditional(Expression.Conditional conditional, Scope scope) {
    if (isTrue(conditional.condition(), scope)) {
      return value(conditional.then(), scope);
    }
    return conditional.otherwise().isPresent()
        ? value(conditional.otherwise().get(), scope)
        : new Undefined(
            "the inline if-expression evaluated to false and no else section was defined.");
  }
}
