package dev.gdn.kernels.vector;

import dev.gdn.core.tensor.DataType;
import java.util.Arrays;

/** {@link GroupedRows} of all types that have them, for one worker. */
final class GroupsByType {
  private final GroupedRows[] groups = new GroupedRows[DataType.values().length];

  GroupsByType() {
    Arrays.setAll(
        groups,
        i -> {
          DataType type = DataType.values()[i];
          return GroupedRows.covers(type) ? GroupedRows.of(type) : null;
        });
  }

  GroupedRows of(DataType type) {
    return groups[type.ordinal()];
  }
}
