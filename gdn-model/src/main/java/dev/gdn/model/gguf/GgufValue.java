package dev.gdn.model.gguf;

import java.util.Objects;

/** A value of a file's metadata. */
public sealed interface GgufValue {
  /** How the file stores it. */
  GgufValueType type();

  /**
   * An integer.
   *
   * @param value of UINT64 the bits, so that one over 2^63 - 1 appears negative
   */
  record Whole(GgufValueType type, long value) implements GgufValue {
    /**
     * @throws IllegalArgumentException if the type is not an integer's or too small for the value
     */
    public Whole {
      boolean fits =
          switch (type) {
            case UINT8 -> value == (value & 0xFF);
            case INT8 -> value == (byte) value;
            case UINT16 -> value == (value & 0xFFFF);
            case INT16 -> value == (short) value;
            case UINT32 -> value == (value & 0xFFFF_FFFFL);
            case INT32 -> value == (int) value;
            case UINT64, INT64 -> true;
            default -> false;
          };
      if (!fits) {
        throw new IllegalArgumentException(type + " does not hold " + value);
      }
    }
  }

  /** A floating-point number; FLOAT32 is rounded when it is written. */
  record Real(GgufValueType type, double value) implements GgufValue {
    /**
     * @throws IllegalArgumentException if the type is not FLOAT32 or FLOAT64
     */
    public Real {
      if (type != GgufValueType.FLOAT32 && type != GgufValueType.FLOAT64) {
        throw new IllegalArgumentException(type + " is no floating-point type");
      }
    }
  }

  /** True or false. */
  record Flag(boolean value) implements GgufValue {
    @Override
    public GgufValueType type() {
      return GgufValueType.BOOL;
    }
  }

  /** A string. */
  record Text(String value) implements GgufValue {
    /** Checks that there is one. */
    public Text {
      Objects.requireNonNull(value, "value");
    }

    @Override
    public GgufValueType type() {
      return GgufValueType.STRING;
    }
  }

  /** An array. */
  record Items(GgufArray items) implements GgufValue {
    /** Checks that there is one. */
    public Items {
      Objects.requireNonNull(items, "items");
    }

    @Override
    public GgufValueType type() {
      return GgufValueType.ARRAY;
    }
  }

  /** An integer stored as UINT32, as most are. */
  static GgufValue of(int value) {
    return new Whole(GgufValueType.UINT32, value);
  }

  /** A number stored as FLOAT32, as most are. */
  static GgufValue of(double value) {
    return new Real(GgufValueType.FLOAT32, value);
  }

  /** True or false. */
  static GgufValue of(boolean value) {
    return new Flag(value);
  }

  /** A string. */
  static GgufValue of(String value) {
    return new Text(value);
  }

  /** An array. */
  static GgufValue of(GgufArray items) {
    return new Items(items);
  }
}
