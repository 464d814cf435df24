package dev.gdn.model.checkpoint;

import dev.gdn.core.tensor.UnencodableException;
import dev.gdn.model.error.CheckpointException;
import dev.gdn.model.gguf.RowSource;
import java.nio.file.Path;

/**
 * Rows of a checkpoint's tensor, which is to blame if one of them cannot be stored as another type.
 *
 * @param file where the tensor is
 * @param tensor its name
 * @param rows what they hold
 */
public record TensorRows(Path file, String tensor, RowSource rows) implements RowSource {
  @Override
  public void fill(long row, float[] target) {
    rows.fill(row, target);
  }

  @Override
  public CheckpointException refusal(long row, UnencodableException problem) {
    return new CheckpointException(
        file, "tensor " + tensor, "row %d, %s".formatted(row, problem.getMessage()), problem);
  }
}
