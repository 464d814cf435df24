package dev.gdn.model.schema;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.util.Set;
import java.util.stream.Collectors;

/** Reads between which limits numbers are valid. */
final class NumberLimits {
  static final Set<String> KEYWORDS =
      Set.of("minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum");

  private static final BigDecimal LARGEST_LIMIT = new BigDecimal("1e18");
  private static final int MOST_PLACES = Nodes.DIGITS;

  private NumberLimits() {}

  /** The numbers of a schema. */
  static Node grammar(boolean whole, JsonNode schema, String place) {
    NumberRange.Limit low = limit(schema, "minimum", "exclusiveMinimum", 1, place);
    NumberRange.Limit high = limit(schema, "maximum", "exclusiveMaximum", -1, place);
    if (low == null && high == null) {
      return whole ? Nodes.INTEGER : Nodes.NUMBER;
    }
    Node range = NumberRange.of(whole, low, high);
    if (range == null) {
      throw SchemaProblem.of(
          place,
          "%s of at most %d digits between the limits"
              .formatted(whole ? "an integer" : "a number", Nodes.DIGITS),
          found(schema));
    }
    return range;
  }

  private static String found(JsonNode schema) {
    return schema.properties().stream()
        .filter(entry -> KEYWORDS.contains(entry.getKey()))
        .map(entry -> entry.getKey() + " " + entry.getValue())
        .collect(Collectors.joining(", "));
  }

  /** The narrower one of two limits; null if there is none. */
  private static NumberRange.Limit limit(
      JsonNode schema, String inclusive, String exclusive, int direction, String place) {
    NumberRange.Limit one = limit(schema, inclusive, false, place);
    NumberRange.Limit other = limit(schema, exclusive, true, place);
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    int order = one.value().compareTo(other.value()) * direction;
    return order > 0 ? one : other;
  }

  private static NumberRange.Limit limit(
      JsonNode schema, String keyword, boolean exclusive, String place) {
    JsonNode value = schema.get(keyword);
    if (value == null) {
      return null;
    }
    if (!value.isNumber()
        || value.decimalValue().abs().compareTo(LARGEST_LIMIT) > 0
        || value.decimalValue().scale() > MOST_PLACES) {
      throw SchemaProblem.of(
          place + "/" + keyword,
          "a number up to %s with at most %d decimal places".formatted(LARGEST_LIMIT, MOST_PLACES),
          value);
    }
    return new NumberRange.Limit(value.decimalValue(), exclusive);
  }
}
