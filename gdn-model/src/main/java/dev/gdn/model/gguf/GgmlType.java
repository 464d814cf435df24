package dev.gdn.model.gguf;

import dev.gdn.core.tensor.DataType;
import java.util.Optional;

/**
 * How a GGUF file stores the elements of a tensor: blocks of {@link #blockElements()} consecutive
 * elements in {@link #blockBytes()} bytes. All types are known by size; {@link #dataType()} says
 * which ones this library computes with.
 */
public enum GgmlType {
  F32(0, 1, 4, DataType.F32),
  F16(1, 1, 2, DataType.F16),
  Q4_0(2, 32, 18, DataType.Q4_0),
  Q4_1(3, 32, 20, DataType.Q4_1),
  Q5_0(6, 32, 22, DataType.Q5_0),
  Q5_1(7, 32, 24, DataType.Q5_1),
  Q8_0(8, 32, 34, DataType.Q8_0),
  Q8_1(9, 32, 36, null),
  Q2_K(10, 256, 84, DataType.Q2_K),
  Q3_K(11, 256, 110, DataType.Q3_K),
  Q4_K(12, 256, 144, DataType.Q4_K),
  Q5_K(13, 256, 176, DataType.Q5_K),
  Q6_K(14, 256, 210, DataType.Q6_K),
  Q8_K(15, 256, 292, null),
  IQ2_XXS(16, 256, 66, null),
  IQ2_XS(17, 256, 74, null),
  IQ3_XXS(18, 256, 98, null),
  IQ1_S(19, 256, 50, null),
  IQ4_NL(20, 32, 18, DataType.IQ4_NL),
  IQ3_S(21, 256, 110, null),
  IQ2_S(22, 256, 82, null),
  IQ4_XS(23, 256, 136, DataType.IQ4_XS),
  I8(24, 1, 1, null),
  I16(25, 1, 2, null),
  I32(26, 1, 4, null),
  I64(27, 1, 8, null),
  F64(28, 1, 8, null),
  IQ1_M(29, 256, 56, null),
  BF16(30, 1, 2, DataType.BF16),
  TQ1_0(34, 256, 54, null),
  TQ2_0(35, 256, 66, null),
  MXFP4(39, 32, 17, DataType.MXFP4),
  NVFP4(40, 64, 36, null),
  Q1_0(41, 128, 18, null);

  private final int id;
  private final int blockElements;
  private final int blockBytes;
  private final Optional<DataType> dataType;

  GgmlType(int id, int blockElements, int blockBytes, DataType dataType) {
    this.id = id;
    this.blockElements = blockElements;
    this.blockBytes = blockBytes;
    this.dataType = Optional.ofNullable(dataType);
  }

  /** The number that stands for it in a file. */
  public int id() {
    return id;
  }

  /** Elements in one block; the innermost dimension is a multiple of it. */
  public int blockElements() {
    return blockElements;
  }

  /** Bytes of one block. */
  public int blockBytes() {
    return blockBytes;
  }

  /** The same type as the library's kernels know it; empty if they do not. */
  public Optional<DataType> dataType() {
    return dataType;
  }

  /** The type that a number stands for. */
  public static Optional<GgmlType> of(int id) {
    for (GgmlType type : values()) {
      if (type.id == id) {
        return Optional.of(type);
      }
    }
    return Optional.empty();
  }

  /** The type that stores a type of the library. */
  public static GgmlType of(DataType dataType) {
    for (GgmlType type : values()) {
      if (type.dataType.filter(t -> t == dataType).isPresent()) {
        return type;
      }
    }
    throw new IllegalArgumentException("GGUF has no type " + dataType);
  }
}
