package dev.gdn.kernels.vector;

import dev.gdn.core.tensor.DataType;
import java.util.Arrays;

/** {@link StoredRows} of all types, for one worker. */
final class RowsByType {
  private final StoredRows[] rows = new StoredRows[DataType.values().length];

  RowsByType() {
    Arrays.setAll(rows, i -> StoredRows.of(DataType.values()[i]));
  }

  StoredRows of(DataType type) {
    return rows[type.ordinal()];
  }
}
