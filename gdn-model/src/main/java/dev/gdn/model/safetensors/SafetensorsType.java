package dev.gdn.model.safetensors;

/** The element types of safetensors files; the constants are named as the files name them. */
public enum SafetensorsType {
  BOOL(1),
  U8(1),
  I8(1),
  F8_E4M3(1),
  F8_E5M2(1),
  I16(2),
  U16(2),
  F16(2),
  BF16(2),
  I32(4),
  U32(4),
  F32(4),
  F64(8),
  I64(8),
  U64(8);

  private final int bytes;

  SafetensorsType(int bytes) {
    this.bytes = bytes;
  }

  /** Bytes of one element. */
  public int bytes() {
    return bytes;
  }
}
