package dev.gdn.model.template;

import dev.gdn.model.error.TemplateException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** Reads expressions, one method for each rank of operators, the loosest first. */
final class ExpressionParser {
  private static final Set<String> COMPARISONS = Set.of("==", "!=", "<", "<=", ">", ">=");
  private static final Expression NONE = new Expression.Constant(null);

  private final TokenStream tokens;
  private final Set<String> variables = new HashSet<>();

  ExpressionParser(TokenStream tokens) {
    this.tokens = tokens;
  }

  /** Names that the expressions so far look up. */
  Set<String> variables() {
    return variables;
  }

  /** An expression, or several with commas between them, which are a tuple. */
  Expression expressions() {
    return expressions(this::atTagEnd, true);
  }

  /** As above, without {@code if} and {@code else}: what a loop goes over. */
  Expression loopElements() {
    return expressions(() -> atTagEnd() || tokens.isName("if"), false);
  }

  private boolean atTagEnd() {
    return switch (tokens.current().kind()) {
      case TAG_END, OUTPUT_END, END -> true;
      default -> false;
    };
  }

  private Expression expressions(BooleanSupplier atEnd, boolean conditional) {
    Expression first = conditional ? expression() : or();
    if (!tokens.isOperator(",")) {
      return first;
    }
    List<Expression> items = new ArrayList<>(List.of(first));
    while (tokens.skipOperator(",") && !atEnd.getAsBoolean()) {
      items.add(conditional ? expression() : or());
    }
    return new Expression.TupleOf(List.copyOf(items));
  }

  Expression expression() {
    tokens.enter();
    Expression value = or();
    while (tokens.skipName("if")) {
      Expression condition = or();
      Optional<Expression> otherwise =
          tokens.skipName("else") ? Optional.of(expression()) : Optional.empty();
      value = new Expression.Conditional(condition, value, otherwise);
    }
    tokens.leave();
    return value;
  }

  private Expression or() {
    Expression left = and();
    while (tokens.skipName("or")) {
      left = new Expression.Or(left, and());
    }
    return left;
  }

  private Expression and() {
    Expression left = not();
    while (tokens.skipName("and")) {
      left = new Expression.And(left, not());
    }
    return left;
  }

  private Expression not() {
    if (!tokens.skipName("not")) {
      return comparison();
    }
    tokens.enter();
    Expression operand = not();
    tokens.leave();
    return new Expression.Not(operand);
  }

  private Expression comparison() {
    Expression first = sum();
    List<Expression.Compared> rest = new ArrayList<>();
    for (Optional<String> operator = comparisonOperator();
        operator.isPresent();
        operator = comparisonOperator()) {
      rest.add(new Expression.Compared(operator.get(), sum()));
    }
    return rest.isEmpty() ? first : new Expression.Comparison(first, List.copyOf(rest));
  }

  private Optional<String> comparisonOperator() {
    Token token = tokens.current();
    if (token.kind() == Token.Kind.OPERATOR && COMPARISONS.contains(token.text())) {
      return Optional.of(tokens.take().text());
    }
    if (tokens.skipName("in")) {
      return Optional.of("in");
    }
    if (token.isName("not") && tokens.following().isName("in")) {
      tokens.take();
      tokens.take();
      return Optional.of("not in");
    }
    return Optional.empty();
  }

  private Expression sum() {
    Expression left = concatenation();
    while (tokens.isOperator("+") || tokens.isOperator("-")) {
      left = new Expression.Binary(tokens.take().text(), left, concatenation());
    }
    return left;
  }

  private Expression concatenation() {
    Expression first = product();
    if (!tokens.isOperator("~")) {
      return first;
    }
    List<Expression> parts = new ArrayList<>(List.of(first));
    while (tokens.skipOperator("~")) {
      parts.add(product());
    }
    return new Expression.Concatenation(List.copyOf(parts));
  }

  private Expression product() {
    Expression left = power();
    while (tokens.isOperator("*")
        || tokens.isOperator("/")
        || tokens.isOperator("//")
        || tokens.isOperator("%")) {
      left = new Expression.Binary(tokens.take().text(), left, power());
    }
    return left;
  }

  private Expression power() {
    Expression left = filtered(signed());
    while (tokens.skipOperator("**")) {
      left = new Expression.Binary("**", left, filtered(signed()));
    }
    return left;
  }

  private Expression signed() {
    boolean negative = tokens.isOperator("-");
    if (!negative && !tokens.isOperator("+")) {
      return postfixed(primary());
    }
    tokens.take();
    tokens.enter();
    Expression operand = signed();
    tokens.leave();
    return new Expression.Sign(negative, operand);
  }

  private Expression primary() {
    Token token = tokens.current();
    switch (token.kind()) {
      case NAME -> {
        return name(tokens.take().text());
      }
      case NUMBER -> {
        return new Expression.Constant(tokens.take().number());
      }
      case STRING -> {
        StringBuilder text = new StringBuilder();
        while (tokens.current().kind() == Token.Kind.STRING) {
          text.append(tokens.take().text());
        }
        return new Expression.Constant(text.toString());
      }
      default -> {}
    }
    if (tokens.skipOperator("(")) {
      return parenthesised();
    }
    if (tokens.skipOperator("[")) {
      return new Expression.ListOf(items("]"));
    }
    if (tokens.skipOperator("{")) {
      return map();
    }
    throw tokens.unexpected("an expression");
  }

  private Expression name(String name) {
    return switch (name) {
      case "true", "True" -> new Expression.Constant(true);
      case "false", "False" -> new Expression.Constant(false);
      case "none", "None" -> NONE;
      default -> {
        variables.add(name);
        yield new Expression.Name(name);
      }
    };
  }

  private Expression parenthesised() {
    if (tokens.skipOperator(")")) {
      return new Expression.TupleOf(List.of());
    }
    Expression value = expressions(() -> tokens.isOperator(")"), true);
    tokens.expectOperator(")");
    return value;
  }

  private List<Expression> items(String close) {
    List<Expression> items = new ArrayList<>();
    while (!tokens.skipOperator(close)) {
      if (!items.isEmpty()) {
        tokens.expectOperator(",");
        if (tokens.skipOperator(close)) {
          break;
        }
      }
      items.add(expression());
    }
    return List.copyOf(items);
  }

  private Expression map() {
    List<Expression.Entry> entries = new ArrayList<>();
    while (!tokens.skipOperator("}")) {
      if (!entries.isEmpty()) {
        tokens.expectOperator(",");
        if (tokens.skipOperator("}")) {
          break;
        }
      }
      Expression key = expression();
      tokens.expectOperator(":");
      entries.add(new Expression.Entry(key, expression()));
    }
    return new Expression.MapOf(List.copyOf(entries));
  }

  private Expression postfixed(Expression operand) {
    Expression value = operand;
    while (true) {
      if (tokens.skipOperator(".")) {
        value = attribute(value);
      } else if (tokens.skipOperator("[")) {
        value = subscript(value);
      } else if (tokens.isOperator("(")) {
        value = new Expression.Call(value, callArguments());
      } else {
        return value;
      }
    }
  }

  private Expression attribute(Expression of) {
    Token token = tokens.current();
    if (token.kind() == Token.Kind.NAME) {
      return new Expression.Attribute(of, tokens.take().text());
    }
    if (token.number() instanceof Long) {
      return new Expression.Item(of, new Expression.Constant(tokens.take().number()));
    }
    throw tokens.unexpected("a name or a whole number behind the dot");
  }

  private Expression subscript(Expression of) {
    Expression key = tokens.isOperator(":") ? NONE : expression();
    if (!tokens.isOperator(":")) {
      tokens.expectOperator("]");
      return new Expression.Item(of, key);
    }
    Expression to = slicePart();
    Expression step = slicePart();
    tokens.expectOperator("]");
    return new Expression.Slice(of, key, to, step);
  }

  /** What stands behind the next colon of a slice. */
  private Expression slicePart() {
    boolean given = tokens.skipOperator(":") && !tokens.isOperator(":") && !tokens.isOperator("]");
    return given ? expression() : NONE;
  }

  /** Arguments in parentheses. */
  Expression.CallArguments callArguments() {
    tokens.expectOperator("(");
    List<Expression> positional = new ArrayList<>();
    List<Expression.Named> named = new ArrayList<>();
    boolean first = true;
    while (!tokens.skipOperator(")")) {
      if (!first) {
        tokens.expectOperator(",");
        if (tokens.skipOperator(")")) {
          break;
        }
      }
      first = false;
      if (tokens.current().kind() == Token.Kind.NAME && tokens.following().isOperator("=")) {
        String name = tokens.take().text();
        tokens.expectOperator("=");
        if (named.stream().anyMatch(other -> other.name().equals(name))) {
          throw TemplateException.at(tokens.line(), "the argument '" + name + "' is given twice");
        }
        named.add(new Expression.Named(name, expression()));
      } else if (named.isEmpty()) {
        positional.add(expression());
      } else {
        throw tokens.unexpected("an argument with a name");
      }
    }
    return new Expression.CallArguments(List.copyOf(positional), List.copyOf(named));
  }

  private Expression filtered(Expression operand) {
    Expression value = operand;
    while (true) {
      if (tokens.isOperator("|")) {
        for (Expression.Filter filter : filters()) {
          value = new Expression.Filtered(value, filter);
        }
      } else if (tokens.skipName("is")) {
        value = test(value);
      } else if (tokens.isOperator("(")) {
        value = new Expression.Call(value, callArguments());
      } else {
        return value;
      }
    }
  }

  /** Filters, each behind a bar. */
  List<Expression.Filter> filters() {
    List<Expression.Filter> filters = new ArrayList<>();
    while (tokens.skipOperator("|")) {
      filters.add(filter());
    }
    return List.copyOf(filters);
  }

  /** A filter without a bar. */
  Expression.Filter filter() {
    String name = tokens.expect(Token.Kind.NAME, "the name of a filter").text();
    return new Expression.Filter(
        name, tokens.isOperator("(") ? callArguments() : Expression.CallArguments.NONE);
  }

  private Expression test(Expression operand) {
    boolean negated = tokens.skipName("not");
    String name = tokens.expect(Token.Kind.NAME, "the name of a test").text();
    Expression test = new Expression.Test(operand, name, testArguments());
    return negated ? new Expression.Not(test) : test;
  }

  /** Arguments in parentheses, or a single one without. */
  private Expression.CallArguments testArguments() {
    if (tokens.isOperator("(")) {
      return callArguments();
    }
    Token token = tokens.current();
    boolean isArgument =
        switch (token.kind()) {
          case STRING, NUMBER -> true;
          case NAME -> !Set.of("else", "or", "and", "is").contains(token.text());
          default -> token.isOperator("[") || token.isOperator("{");
        };
    if (token.isName("is")) {
      throw TemplateException.at(token.line(), "tests cannot be chained with 'is'");
    }
    if (!isArgument) {
      return Expression.CallArguments.NONE;
    }
    return new Expression.CallArguments(List.of(postfixed(primary())), List.of());
  }
}
