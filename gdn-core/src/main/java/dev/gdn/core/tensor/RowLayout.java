package dev.gdn.core.tensor;

/** In which order the bytes of a matrix lie. */
public enum RowLayout {
  /** One row after the other, as checkpoints have it. */
  ROWS,
  /**
   * Groups of 32 rows, for kernels that keep a row in each lane of a vector; {@link RowGroups} says
   * how. A group takes the bytes that its rows would take. Such a matrix lies in an array of bytes,
   * of which its segment is a writable view.
   */
  GROUPS
}
