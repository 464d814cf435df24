package dev.gdn.model.checkpoint;

import dev.gdn.core.tensor.DataType;
import dev.gdn.core.tensor.Float8;
import dev.gdn.core.tensor.Shape;
import dev.gdn.model.config.BlockScaling;
import dev.gdn.model.gguf.RowSource;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A matrix of E4M3 numbers with one scale for each block: an element is its number times the scale
 * of its block, which float32 holds exactly if the scale was stored in 16 bits.
 *
 * @param name the name in the checkpoint
 * @param shape {@code [rows, columns]}
 * @param codes one byte an element, row-major
 * @param scales row-major, one for each block
 * @param block size of a block; those at the right and lower edge may be cut off
 */
record BlockScaledMatrix(
    String name, Shape shape, MemorySegment codes, float[] scales, BlockScaling block)
    implements RowSource {
  /** With smaller scales, F16 would round more than its 11 bits of mantissa do. */
  private static final float LEAST_SCALE_FOR_F16 = 0x1p-13f / Float8.MAXIMUM;

  private static final float LARGEST_F16 = 65_504;

  /** The shape that the scales of a matrix have. */
  static Shape scalesOf(Shape shape, BlockScaling block) {
    return new Shape(
        Math.ceilDiv(shape.dimension(0), block.rows()),
        Math.ceilDiv(shape.dimension(1), block.columns()));
  }

  @Override
  public void fill(long row, float[] target) {
    int columns = (int) shape.dimension(1);
    int across = Math.ceilDiv(columns, block.columns());
    int scaleAt = (int) (row / block.rows()) * across;
    long from = row * columns;
    for (int b = 0; b < across; b++) {
      float scale = scales[scaleAt + b];
      int end = Math.min(columns, (b + 1) * block.columns());
      for (int i = b * block.columns(); i < end; i++) {
        target[i] = scale * Float8.toFloat(codes.get(ValueLayout.JAVA_BYTE, from + i));
      }
    }
  }

  /**
   * The smallest floating-point type that holds each element to 2⁻¹² of itself, or of its block's
   * largest possible one.
   */
  DataType type() {
    for (float scale : scales) {
      float size = Math.abs(scale);
      if (size * Float8.MAXIMUM > LARGEST_F16 || size != 0 && size < LEAST_SCALE_FOR_F16) {
        return DataType.F32;
      }
    }
    return DataType.F16;
  }
}
