package dev.gdn.model.checkpoint;

import dev.gdn.core.tensor.WeightMatrix;
import java.util.List;

/**
 * A weight matrix whose rows a checkpoint may store in several places. Safe to share.
 *
 * @param pieces one below the other, at least one
 */
public record RowPieces(List<WeightMatrix> pieces) {
  /** Copies the list. */
  public RowPieces {
    pieces = List.copyOf(pieces);
  }

  static RowPieces of(WeightMatrix whole) {
    return new RowPieces(List.of(whole));
  }

  /**
   * Decodes one row.
   *
   * @param target takes as many values as the matrix has columns
   * @throws IndexOutOfBoundsException if there is no such row
   */
  public void decodeRow(int row, float[] target) {
    int first = 0;
    for (WeightMatrix piece : pieces) {
      if (row < first + piece.rows()) {
        piece.decodeRow(row - first, target, 0);
        return;
      }
      first += piece.rows();
    }
    throw new IndexOutOfBoundsException("row %d of %d".formatted(row, first));
  }
}
