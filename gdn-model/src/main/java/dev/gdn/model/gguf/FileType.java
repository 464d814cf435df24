package dev.gdn.model.gguf;

import dev.gdn.core.tensor.DataType;

/**
 * What the matrices of a GGUF file are stored as: one type, or a mixture of a type and one of more
 * bits, by the names that llama.cpp gives them.
 */
public enum FileType {
  F32(0, DataType.F32),
  F16(1, DataType.F16),
  BF16(32, DataType.BF16),
  Q8_0(7, DataType.Q8_0),
  Q6_K(18, DataType.Q6_K),
  Q5_K_M(17, DataType.Q5_K, DataType.Q6_K),
  Q5_1(9, DataType.Q5_1),
  Q5_0(8, DataType.Q5_0),
  Q4_K_M(15, DataType.Q4_K, DataType.Q6_K),
  Q4_1(3, DataType.Q4_1),
  Q4_0(2, DataType.Q4_0);

  private final int id;
  private final DataType usual;
  private final DataType finer;

  FileType(int id, DataType type) {
    this(id, type, type);
  }

  FileType(int id, DataType usual, DataType finer) {
    this.id = id;
    this.usual = usual;
    this.finer = finer;
  }

  /** The number that stands for it in a file: llama.cpp's {@code llama_ftype}. */
  public int id() {
    return id;
  }

  /** Of most matrices. */
  public DataType usual() {
    return usual;
  }

  /** Of matrices whose rounding does most harm; the same where there is no mixture. */
  public DataType finer() {
    return finer;
  }
}
