package dev.gdn.core.tensor;

/** A number that a stored type does not take: it is not finite, or too large. */
public final class UnencodableException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  /**
   * @param element its place among those that were to be encoded, from 0
   * @param bound what every magnitude is below
   */
  UnencodableException(DataType type, int element, float found, float bound) {
    super(
        "element %d: expected %s to store as %s, found %s"
            .formatted(
                element,
                Float.isFinite(found) ? "a magnitude below " + bound : "a finite number",
                type,
                found));
  }
}
