package dev.gdn.model.schema;

import dev.gdn.model.generation.Constraint;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Lets a text be nothing but JSON that is valid by a schema. What is generated is a part of what
 * the schema allows: properties come in the order in which the schema lists them, properties that
 * it does not list only where it lists none, white space is short, and numbers have at most 18
 * digits. A text that is cut off, for example by the most tokens, is a beginning of such JSON.
 *
 * <p>Keywords: {@code type}, {@code properties}, {@code required}, {@code additionalProperties},
 * {@code items}, {@code prefixItems}, {@code minItems}, {@code maxItems}, {@code minLength}, {@code
 * maxLength}, {@code pattern}, {@code minimum}, {@code maximum}, {@code exclusiveMinimum}, {@code
 * exclusiveMaximum}, {@code enum}, {@code const}, {@code anyOf}, {@code oneOf}, {@code allOf},
 * {@code $ref} within the schema, {@code $defs} and {@code definitions}. Annotations, {@code
 * format} among them, are not looked at. Any other keyword is refused by its name.
 *
 * <ul>
 *   <li>A pattern has characters, sets, groups, alternatives and counts, and anchors at its ends;
 *       assertions and references back are refused, and so are limits of length beside it.
 *   <li>Numbers with limits are written without an exponent.
 *   <li>Alternatives of {@code oneOf} must exclude each other by what can be seen: their types,
 *       listed values, or those of a required property.
 *   <li>Parts of {@code allOf} become one schema; keywords that stand in two of them must be equal,
 *       or of those whose combination is plain.
 * </ul>
 *
 * <p>Thread-safe; what it computed for one text is kept, within bounds, for others.
 */
public final class JsonSchemaConstraint implements Constraint {
  /** Sets of tokens to keep: 30 KB each for a vocabulary of 250,000. */
  private static final int MOST_SETS = 256;

  private final Automaton automaton;
  private final TokenTrie vocabulary;
  private final Map<Automaton.State, long[]> sets =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Automaton.State, long[]> eldest) {
          return size() > MOST_SETS;
        }
      };

  private JsonSchemaConstraint(Automaton automaton, TokenTrie vocabulary) {
    this.automaton = automaton;
    this.vocabulary = vocabulary;
  }

  /**
   * The constraint of a schema.
   *
   * @param schema a JSON schema, as JSON
   * @throws IllegalArgumentException if it is no JSON schema, uses what is not supported, or
   *     nothing is valid by it; the message says where
   */
  public static JsonSchemaConstraint of(String schema, TokenTrie vocabulary) {
    Objects.requireNonNull(schema, "schema");
    Objects.requireNonNull(vocabulary, "vocabulary");
    return new JsonSchemaConstraint(new Automaton(SchemaCompiler.compile(schema)), vocabulary);
  }

  @Override
  public Matcher begin() {
    return new TextMatcher();
  }

  private synchronized long[] allowed(Automaton.State state) {
    return sets.computeIfAbsent(state, key -> vocabulary.allowed(automaton, key));
  }

  private synchronized Automaton.State step(Automaton.State from, int id) {
    Automaton.State state = from;
    byte[] bytes = vocabulary.bytes(id);
    for (byte value : bytes) {
      state = automaton.step(state, value);
    }
    if (bytes.length == 0 || state == Automaton.DEAD) {
      throw new IllegalArgumentException("token %d: it is not allowed here".formatted(id));
    }
    return state;
  }

  private final class TextMatcher implements Matcher {
    private Automaton.State state = automaton.start();

    @Override
    public long[] allowed() {
      return JsonSchemaConstraint.this.allowed(state);
    }

    @Override
    public void accept(int id) {
      state = step(state, id);
    }

    @Override
    public boolean isComplete() {
      return state.isComplete();
    }

    @Override
    public boolean isExhausted() {
      return state.isExhausted();
    }
  }
}
