package dev.gdn.model.gguf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.gdn.core.concurrent.Workers;
import dev.gdn.core.tensor.DataType;
import dev.gdn.core.tensor.Shape;
import dev.gdn.model.checkpoint.TensorRows;
import dev.gdn.model.error.CheckpointException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.StringJoiner;
import org.junit.jupiter.api.Test;

/** Rows that are encoded into memory, in pieces of a megabyte, of which the last is shorter. */
class RowEncoderTest {
  @Test
  void rowsOfMoreThanOnePieceComeInTheirPlaces() {
    RowSource rows = (row, target) -> Arrays.fill(target, row);
    float[] target = new float[1100 * 256];
    StringJoiner progress = new StringJoiner(" ");
    new RowEncoder(DataType.F32, new Shape(1100, 256), rows, Workers.shared())
        .encode(MemorySegment.ofArray(target), done -> progress.add(Long.toString(done)));
    for (int i = 0; i < target.length; i++) {
      assertEquals(i / 256, target[i]);
    }
    assertEquals("1024 1100", progress.toString());
  }

  @Test
  void aRefusedElementIsNamedByItsRowAmongAll() {
    RowSource rows = (row, target) -> Arrays.fill(target, row == 550 ? Float.NaN : 1);
    TensorRows named = new TensorRows(Path.of("a.safetensors"), "a", rows);
    RowEncoder encoder =
        new RowEncoder(DataType.F16, new Shape(600, 1024), named, Workers.shared());
    MemorySegment target = MemorySegment.ofArray(new short[600 * 1024]);
    String message =
        assertThrows(CheckpointException.class, () -> encoder.encode(target, done -> {}))
            .getMessage();
    String where = "a.safetensors: tensor a: row 550, ";
    assertEquals(where, message.substring(0, Math.min(where.length(), message.length())));
  }
}
