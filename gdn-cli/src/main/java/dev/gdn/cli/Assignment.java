package dev.gdn.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A value of an option that gives something by name, such as {@code 5=-1.5}. */
record Assignment(String name, String value) {
  /** Reads one. */
  static final class Converter implements ITypeConverter<Assignment> {
    @Override
    public Assignment convert(String text) {
      int at = text.indexOf('=');
      if (at < 1) {
        throw new TypeConversionException(
            "expected a name, = and a value, found " + (text.isEmpty() ? "nothing" : text));
      }
      return new Assignment(text.substring(0, at), text.substring(at + 1));
    }
  }

  /** Turns text into a value. */
  @FunctionalInterface
  interface Reader<T> {
    /**
     * @throws InputException if it cannot be one
     */
    T read(String text);
  }

  /**
   * All of them, in their order.
   *
   * @param option names them in messages
   * @throws InputException if a name or value cannot be read, or two names are the same
   */
  static <N, V> Map<N, V> all(
      String option, List<Assignment> assignments, Reader<N> name, Reader<V> value) {
    Map<N, V> all = new LinkedHashMap<>();
    for (Assignment one : assignments) {
      N key = name.read(one.name());
      if (all.containsKey(key)) {
        throw new InputException(
            "%s: expected each name once, found %s twice".formatted(option, key));
      }
      all.put(key, value.read(one.value()));
    }
    return all;
  }
}
