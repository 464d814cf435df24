package dev.gdn.model.gguf;

import java.util.Optional;

/** The types of metadata values, in the order of the numbers that stand for them in a file. */
public enum GgufValueType {
  UINT8(1),
  INT8(1),
  UINT16(2),
  INT16(2),
  UINT32(4),
  INT32(4),
  FLOAT32(4),
  BOOL(1),
  STRING(8),
  ARRAY(12),
  UINT64(8),
  INT64(8),
  FLOAT64(8);

  private final int minimumBytes;

  GgufValueType(int minimumBytes) {
    this.minimumBytes = minimumBytes;
  }

  /** Bytes of a number; the fewest that a string or an array takes. */
  int minimumBytes() {
    return minimumBytes;
  }

  /** The number that stands for it in a file. */
  int id() {
    return ordinal();
  }

  static Optional<GgufValueType> of(int id) {
    return id >= 0 && id < values().length ? Optional.of(values()[id]) : Optional.empty();
  }
}
