package dev.gdn.model.template;

import dev.gdn.model.error.TemplateException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads the statements of a template. */
final class Parser {
  private final TokenStream tokens;
  private final ExpressionParser expressions;
  private int loops;

  private Parser(List<Token> tokens) {
    this.tokens = new TokenStream(tokens);
    expressions = new ExpressionParser(this.tokens);
  }

  /**
   * What a template says.
   *
   * @param variables that it looks up
   */
  record Parsed(List<Statement> body, Set<String> variables) {}

  /**
   * @throws TemplateException if it is no template, or uses what is not supported
   */
  static Parsed parse(List<Token> template) {
    Parser parser = new Parser(template);
    List<Statement> body = parser.body();
    if (parser.tokens.current().kind() != Token.Kind.END) {
      throw TemplateException.at(
          parser.tokens.line(),
          "{%% %s %%} ends nothing".formatted(parser.tokens.following().text()));
    }
    return new Parsed(body, Set.copyOf(parser.expressions.variables()));
  }

  /** Statements up to a tag that this body does not own: its end, or a branch of its owner. */
  private List<Statement> body() {
    tokens.enter();
    List<Statement> statements = new ArrayList<>();
    while (true) {
      Token token = tokens.current();
      switch (token.kind()) {
        case TEXT -> statements.add(new Statement.Print(tokens.take().text(), token.line()));
        case OUTPUT_BEGIN -> {
          tokens.take();
          statements.add(new Statement.PrintValue(expressions.expressions(), token.line()));
          tokens.expect(Token.Kind.OUTPUT_END, "}}");
        }
        case TAG_BEGIN -> {
          if (isForeign(tokens.following())) {
            tokens.leave();
            return List.copyOf(statements);
          }
          tokens.take();
          statements.add(statement(token.line()));
        }
        default -> {
          tokens.leave();
          return List.copyOf(statements);
        }
      }
    }
  }

  private static boolean isForeign(Token name) {
    return name.isName("elif") || name.isName("else") || name.text().startsWith("end");
  }

  /** A body and the tag that ends it, without what stands in that tag. */
  private List<Statement> bodyUntil(String end) {
    tokens.expect(Token.Kind.TAG_END, "%}");
    List<Statement> body = body();
    endTag(end);
    return body;
  }

  private void endTag(String end) {
    if (tokens.current().kind() == Token.Kind.END) {
      throw tokens.unexpected("{% " + end + " %}");
    }
    tokens.expect(Token.Kind.TAG_BEGIN, "{% " + end + " %}");
    tokens.expectName(end);
    if (tokens.current().kind() == Token.Kind.NAME) {
      tokens.take(); // the name of a macro may be repeated
    }
    tokens.expect(Token.Kind.TAG_END, "%}");
  }

  private void tagEnd() {
    tokens.expect(Token.Kind.TAG_END, "%}");
  }

  private Statement statement(int line) {
    String name = tokens.expect(Token.Kind.NAME, "the name of a statement").text();
    return switch (name) {
      case "if" -> ifStatement(line);
      case "for" -> forStatement(line);
      case "set" -> setStatement(line);
      case "macro" -> macro(line);
      case "call" -> callBlock(line);
      case "filter" -> filterBlock(line);
      case "with" -> with(line);
      case "generation" -> new Statement.Block(bodyUntil("endgeneration"), line);
      case "break", "continue" -> loopControl(name, line);
      default ->
          throw TemplateException.at(
              line,
              "expected if, for, set, macro, call, filter, with, generation, break or continue,"
                  + " found '%s'".formatted(name));
    };
  }

  private Statement loopControl(String name, int line) {
    if (loops == 0) {
      throw TemplateException.at(line, "'" + name + "' outside of a loop");
    }
    tagEnd();
    return name.equals("break") ? new Statement.Break(line) : new Statement.Continue(line);
  }

  private Statement ifStatement(int line) {
    List<Statement.Branch> branches = new ArrayList<>();
    List<Statement> otherwise = List.of();
    do {
      Expression condition = expressions.expressions();
      tagEnd();
      branches.add(new Statement.Branch(condition, body()));
    } while (skipTag("elif"));
    if (skipTag("else")) {
      tagEnd();
      otherwise = body();
    }
    endTag("endif");
    return new Statement.If(List.copyOf(branches), otherwise, line);
  }

  /** Takes the begin of a tag and its name. */
  private boolean skipTag(String name) {
    boolean skips =
        tokens.current().kind() == Token.Kind.TAG_BEGIN && tokens.following().isName(name);
    if (skips) {
      tokens.take();
      tokens.take();
    }
    return skips;
  }

  private Statement forStatement(int line) {
    Statement.Target target = target();
    tokens.expectName("in");
    Expression elements = expressions.loopElements();
    Optional<Expression> condition =
        tokens.skipName("if") ? Optional.of(expressions.expression()) : Optional.empty();
    if (tokens.isName("recursive")) {
      throw TemplateException.at(tokens.line(), "recursive loops are not supported");
    }
    tagEnd();
    loops++;
    List<Statement> body = body();
    loops--;
    List<Statement> otherwise = List.of();
    if (skipTag("else")) {
      tagEnd();
      otherwise = body();
    }
    endTag("endfor");
    return new Statement.For(target, elements, condition, body, otherwise, line);
  }

  private Statement setStatement(int line) {
    Statement.Target target = target();
    if (tokens.skipOperator("=")) {
      Expression value = expressions.expressions();
      tagEnd();
      return new Statement.Assign(target, value, line);
    }
    List<Expression.Filter> filters = expressions.filters();
    return new Statement.Capture(target, filters, bodyUntil("endset"), line);
  }

  private Statement filterBlock(int line) {
    List<Expression.Filter> filters = new ArrayList<>(List.of(expressions.filter()));
    filters.addAll(expressions.filters());
    return new Statement.FilterBlock(List.copyOf(filters), bodyUntil("endfilter"), line);
  }

  private Statement with(int line) {
    List<Statement.Assign> variables = new ArrayList<>();
    while (tokens.current().kind() != Token.Kind.TAG_END) {
      if (!variables.isEmpty()) {
        tokens.expectOperator(",");
      }
      Statement.Target target = singleTarget();
      tokens.expectOperator("=");
      variables.add(new Statement.Assign(target, expressions.expression(), line));
    }
    return new Statement.With(List.copyOf(variables), bodyUntil("endwith"), line);
  }

  private Statement macro(int line) {
    String name = tokens.expect(Token.Kind.NAME, "the name of a macro").text();
    List<Statement.Parameter> parameters = parameters();
    return new Statement.MacroDefinition(name, parameters, macroBody("endmacro"), line);
  }

  private Statement callBlock(int line) {
    List<Statement.Parameter> parameters = tokens.isOperator("(") ? parameters() : List.of();
    if (expressions.expression() instanceof Expression.Call call) {
      return new Statement.CallBlock(call, parameters, macroBody("endcall"), line);
    }
    throw TemplateException.at(line, "expected a call, found another expression");
  }

  /** A body whose loops are its own. */
  private List<Statement> macroBody(String end) {
    int outer = loops;
    loops = 0;
    List<Statement> body = bodyUntil(end);
    loops = outer;
    return body;
  }

  private List<Statement.Parameter> parameters() {
    tokens.expectOperator("(");
    List<Statement.Parameter> parameters = new ArrayList<>();
    while (!tokens.skipOperator(")")) {
      if (!parameters.isEmpty()) {
        tokens.expectOperator(",");
      }
      String name = tokens.expect(Token.Kind.NAME, "the name of a parameter").text();
      boolean hasDefault = tokens.skipOperator("=");
      if (!hasDefault && !parameters.isEmpty() && parameters.getLast().otherwise().isPresent()) {
        throw tokens.unexpected("'=' and a value, as the parameter before has");
      }
      parameters.add(
          new Statement.Parameter(
              name, hasDefault ? Optional.of(expressions.expression()) : Optional.empty()));
    }
    return List.copyOf(parameters);
  }

  /** A target, or several with commas between them. */
  private Statement.Target target() {
    List<Statement.Target> targets = new ArrayList<>(List.of(singleTarget()));
    boolean unpacks = false;
    while (tokens.skipOperator(",")) {
      unpacks = true;
      if (tokens.isName("in") || tokens.isOperator("=") || tokens.isOperator(")")) {
        break;
      }
      targets.add(singleTarget());
    }
    return unpacks ? new Statement.Target.Unpacked(List.copyOf(targets)) : targets.getFirst();
  }

  private Statement.Target singleTarget() {
    if (tokens.skipOperator("(")) {
      tokens.enter();
      Statement.Target target = target();
      tokens.leave();
      tokens.expectOperator(")");
      return target;
    }
    String name = tokens.expect(Token.Kind.NAME, "the name of a variable").text();
    if (tokens.skipOperator(".")) {
      return new Statement.Target.NamespaceAttribute(
          name, tokens.expect(Token.Kind.NAME, "the name of an attribute").text());
    }
    return new Statement.Target.Variable(name);
  }
}
