package dev.gdn.model.checkpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.gdn.core.tensor.DataType;
import dev.gdn.core.tensor.WeightMatrix;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;

class RowPiecesTest {
  private static WeightMatrix column(float... values) {
    return new WeightMatrix("a", DataType.F32, values.length, 1, MemorySegment.ofArray(values));
  }

  @Test
  void rowsAreCountedThroughAllPieces() {
    RowPieces pieces = new RowPieces(List.of(column(0, 1), column(2), column(3, 4, 5)));
    float[] target = new float[1];
    for (int row = 0; row < 6; row++) {
      pieces.decodeRow(row, target);
      assertEquals(row, target[0]);
    }
    String message =
        assertThrows(IndexOutOfBoundsException.class, () -> pieces.decodeRow(6, target))
            .getMessage();
    assertEquals("row 6 of 6", message);
  }
}
