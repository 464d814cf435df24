package dev.gdn.model.chat;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What a tool's schema says of its parameters, and arguments of those types. A text becomes another
 * value only where the schema allows that value's type.
 */
final class ParameterTypes {
  /** An argument without a type of its own, as it stands in the output. */
  record Written(String text) {}

  private enum Type {
    NULL,
    BOOLEAN,
    INTEGER,
    NUMBER,
    ARRAY,
    OBJECT,
    STRING
  }

  private static final Pattern NUMBER =
      Pattern.compile("-?(0|[1-9][0-9]{0,300})(\\.[0-9]{1,300})?([eE][+-]?[0-9]{1,3})?");

  private final Map<String, Object> schema;

  ParameterTypes(Map<String, Object> schema) {
    this.schema = schema;
  }

  /**
   * An argument as a value of a type that its parameter allows. What the schema does not describe
   * stays as it is written.
   *
   * @throws IllegalArgumentException if it is of no such type
   */
  Object typed(String name, Object argument) {
    Object parameter = schema.get("properties") instanceof Map<?, ?> map ? map.get(name) : null;
    Set<Type> types = EnumSet.noneOf(Type.class);
    collect(parameter, types, Collections.newSetFromMap(new IdentityHashMap<>()));
    if (argument instanceof Written written) {
      return types.isEmpty() ? written.text() : typed(name, written.text(), types);
    }
    if (types.isEmpty() || types.contains(type(argument)) || isWholeAsNumber(argument, types)) {
      return argument;
    }
    if (argument instanceof Map<?, ?> || argument instanceof Collection<?>) {
      throw mismatch(name, types, argument.toString());
    }
    return typed(name, String.valueOf(argument), types);
  }

  private static boolean isWholeAsNumber(Object argument, Set<Type> types) {
    return type(argument) == Type.INTEGER && types.contains(Type.NUMBER);
  }

  private static Type type(Object value) {
    return switch (value) {
      case null -> Type.NULL;
      case Boolean _ -> Type.BOOLEAN;
      case Integer _, Long _, BigInteger _ -> Type.INTEGER;
      case Number _ -> Type.NUMBER;
      case Collection<?> _ -> Type.ARRAY;
      case Map<?, ?> _ -> Type.OBJECT;
      default -> Type.STRING;
    };
  }

  /** Adds the types that a schema allows, unless it was seen: references may lead in circles. */
  private void collect(Object parameter, Set<Type> types, Set<Object> seen) {
    if (!(parameter instanceof Map<?, ?> map) || !seen.add(parameter)) {
      return;
    }
    if (map.get("type") instanceof String name) {
      add(name, types);
    } else if (map.get("type") instanceof Collection<?> names) {
      names.forEach(name -> add(name, types));
    } else if (map.get("enum") instanceof Collection<?> values) {
      values.forEach(value -> types.add(type(value)));
    } else if (map.containsKey("const")) {
      types.add(type(map.get("const")));
    }
    for (String choice : List.of("anyOf", "oneOf", "allOf")) {
      if (map.get(choice) instanceof Collection<?> schemas) {
        schemas.forEach(one -> collect(one, types, seen));
      }
    }
    if (map.get("$ref") instanceof String reference) {
      referred(reference).ifPresent(one -> collect(one, types, seen));
    }
    if (Boolean.TRUE.equals(map.get("nullable")) && !types.isEmpty()) {
      types.add(Type.NULL);
    }
  }

  private static void add(Object name, Set<Type> types) {
    for (Type type : Type.values()) {
      if (type.name().equalsIgnoreCase(String.valueOf(name))) {
        types.add(type);
      }
    }
  }

  /** What a reference into the schema itself leads to, such as {@code #/$defs/Day}. */
  private Optional<Object> referred(String reference) {
    if (!reference.startsWith("#/")) {
      return Optional.empty();
    }
    Object found = schema;
    for (String key : reference.substring(2).split("/")) {
      String unescaped = key.replace("~1", "/").replace("~0", "~");
      found = found instanceof Map<?, ?> map ? map.get(unescaped) : null;
    }
    return Optional.ofNullable(found);
  }

  private static Object typed(String name, String text, Set<Type> types) {
    String value = text.strip();
    // The template prints values as Python does.
    if (types.contains(Type.NULL) && (value.equals("null") || value.equals("None"))) {
      return null;
    }
    if (types.contains(Type.BOOLEAN) && value.matches("[tT]rue|[fF]alse")) {
      return Boolean.valueOf(value);
    }
    Optional<Object> number =
        NUMBER.matcher(value).matches() ? number(value, types) : Optional.empty();
    if (number.isPresent()) {
      return number.get();
    }
    Optional<Object> nested =
        types.contains(Type.ARRAY) || types.contains(Type.OBJECT)
            ? nested(value, types)
            : Optional.empty();
    if (nested.isPresent()) {
      return nested.get();
    }
    if (types.contains(Type.STRING)) {
      return text;
    }
    throw mismatch(name, types, text);
  }

  private static Optional<Object> number(String text, Set<Type> types) {
    boolean asNumber = types.contains(Type.NUMBER);
    BigDecimal number = new BigDecimal(text);
    boolean isWhole = text.matches("-?[0-9]+");
    if (types.contains(Type.INTEGER) || (asNumber && isWhole)) {
      if (number.signum() == 0 || number.stripTrailingZeros().scale() <= 0) {
        BigInteger whole = number.toBigInteger();
        return Optional.of(whole.bitLength() < Long.SIZE ? (Object) whole.longValue() : whole);
      }
    }
    double value = number.doubleValue();
    return asNumber && Double.isFinite(value) ? Optional.of(value) : Optional.empty();
  }

  private static Optional<Object> nested(String text, Set<Type> types) {
    try {
      Object value = ToolCallReader.JSON.readValue(text, Object.class);
      boolean fits =
          (value instanceof List<?> && types.contains(Type.ARRAY))
              || (value instanceof Map<?, ?> && types.contains(Type.OBJECT));
      return fits ? Optional.of(value) : Optional.empty();
    } catch (JsonProcessingException noJson) {
      return Optional.empty();
    }
  }

  private static IllegalArgumentException mismatch(String name, Set<Type> types, String found) {
    List<String> names = new ArrayList<>();
    types.forEach(type -> names.add(type.name().toLowerCase(Locale.ROOT)));
    String shown = found.length() <= 60 ? found : found.substring(0, 60) + "…";
    return new IllegalArgumentException(
        "parameter %s: expected %s, found %s".formatted(name, String.join(" or ", names), shown));
  }
}
