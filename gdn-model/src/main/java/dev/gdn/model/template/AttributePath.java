package dev.gdn.model.template;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Keys with dots between them, as filters take them to look into elements; none for the element.
 */
record AttributePath(List<Object> keys) {
  private static final Pattern INDEX = Pattern.compile("[0-9]{1,9}");

  /** The path that an argument gives, if it is given. */
  static AttributePath of(Arguments.Bound bound, int place) {
    return of(bound.get(place, null));
  }

  /**
   * @param path a string, a whole number, or null
   */
  static AttributePath of(Object path) {
    return switch (path) {
      case null -> new AttributePath(List.of());
      case Long index -> new AttributePath(List.of(index));
      case String keys ->
          new AttributePath(Arrays.stream(keys.split("\\.", -1)).map(AttributePath::key).toList());
      default -> throw new Problem("expected an attribute, found " + Values.typeName(path));
    };
  }

  /** A name, or an index if it is made of digits. */
  private static Object key(String key) {
    return INDEX.matcher(key).matches() ? Long.valueOf(key) : key;
  }

  /** The paths that an argument gives, with commas between them. */
  static List<AttributePath> several(Arguments.Bound bound, int place) {
    return bound.get(place, null) instanceof String paths
        ? Arrays.stream(paths.split(",", -1)).map(AttributePath::of).toList()
        : List.of(of(bound, place));
  }

  /** What the path leads to. */
  Object value(Object element, Context context) {
    return value(element, null, context);
  }

  /**
   * What the path leads to.
   *
   * @param otherwise what stands for what is not there, also on the way; null for nothing, none
   *     too, as in the reference
   */
  Object value(Object element, Object otherwise, Context context) {
    Object value = element;
    for (Object key : keys) {
      context.budget().step(1);
      value = Attributes.item(value, key, context.budget());
      if (value instanceof Undefined && otherwise != null) {
        value = otherwise;
      }
    }
    return value;
  }
}
