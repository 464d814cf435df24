package dev.gdn.model.checkpoint;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gdn.core.concurrent.Workers;
import dev.gdn.core.tensor.DataType;
import dev.gdn.core.tensor.RowLayout;
import dev.gdn.core.tensor.Shape;
import dev.gdn.core.tensor.StoredTensor;
import dev.gdn.core.tensor.WeightMatrix;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.StringJoiner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which matrices are laid out in groups of rows, and that they stay the same numbers. */
class RowArrangementTest {
  private static final String NAME = "layers.0.mlp.up_proj.weight";
  private static final long LIMIT = 1000;

  private static RowArrangement arrangement(long checkpointBytes) {
    return new RowArrangement(
        new LoadOptions(
            Optional.empty(),
            type -> type == DataType.Q8_0 ? RowLayout.ROWS : RowLayout.GROUPS,
            LIMIT,
            Workers.shared(),
            (bytes, total) -> {}),
        checkpointBytes);
  }

  private static boolean covers(String name, DataType type, long... shape) {
    return arrangement(LIMIT).covers(name, type, new Shape(shape));
  }

  @Test
  void matricesAndStacksOfWholeGroupsAre() {
    assertTrue(covers(NAME, DataType.Q4_0, 64, 32));
    assertTrue(covers(NAME, DataType.Q4_0, 3, 32, 32));
    assertFalse(covers(NAME, DataType.Q4_0, 48, 32));
    assertFalse(covers(NAME, DataType.Q4_0, 32, 48, 32));
  }

  @Test
  void otherShapesAndTypesAreNot() {
    assertFalse(covers(NAME, DataType.Q4_0, 32));
    assertFalse(covers(NAME, DataType.Q4_0, 2, 2, 32, 32));
    assertFalse(covers(NAME, DataType.Q4_0, 32, 0));
    assertFalse(covers(NAME, DataType.Q4_0, 0, 32, 32));
    assertFalse(covers(NAME, DataType.F32, 32, 32));
    assertFalse(covers(NAME, DataType.Q8_0, 32, 32), "which the kernels like row by row");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "layers.0.linear_attn.in_proj_qkvz.weight",
        "layers.0.linear_attn.in_proj_ba.weight",
        "layers.0.mlp.experts.gate_up_proj",
        "layers.0.self_attn.kv_b_proj.weight"
      })
  void whatIsCutAnywhereIsNot(String name) {
    assertFalse(covers(name, DataType.Q4_0, 64, 32));
  }

  @Test
  void weightsOfALargerCheckpointAreNot() {
    Shape shape = new Shape(32, 32);
    assertTrue(arrangement(LIMIT).covers(NAME, DataType.Q4_0, shape));
    assertFalse(arrangement(LIMIT + 1).covers(NAME, DataType.Q4_0, shape));
  }

  /** An array takes two gigabytes: 18 bytes hold 32 elements. */
  @Test
  void whatFitsInNoArrayIsNot() {
    long columns = 32L * 1000;
    assertTrue(covers(NAME, DataType.Q4_0, 119_296, columns));
    assertFalse(covers(NAME, DataType.Q4_0, 119_328, columns));
  }

  /**
   * Of more than the 1,024 groups after which progress is told, and of no whole number of parts.
   */
  @ParameterizedTest
  @CsvSource({"32, 32", "288, 288", "32768, 32768", "33056, 32768 33056"})
  void rowsStayTheSameNumbers(int rows, String progress) {
    byte[] bytes = new byte[rows * 18];
    new SplittableRandom(7).nextBytes(bytes);
    for (int row = 0; row < rows; row++) {
      bytes[row * 18 + 1] = 0x3C; // a scale that is finite, of magnitude 1 to 2
    }
    StoredTensor stored =
        new StoredTensor(NAME, DataType.Q4_0, new Shape(rows, 32), MemorySegment.ofArray(bytes));
    StringJoiner done = new StringJoiner(" ");
    StoredTensor arranged =
        arrangement(LIMIT).arrange(stored, count -> done.add(Long.toString(count)));
    assertEquals(progress, done.toString());
    assertEquals(RowLayout.GROUPS, arranged.layout());
    assertEquals(stored.shape(), arranged.shape());
    WeightMatrix before = stored.toMatrix();
    WeightMatrix after = arranged.toMatrix();
    float[] expected = new float[32];
    float[] actual = new float[32];
    for (int row = 0; row < rows; row++) {
      before.decodeRow(row, expected, 0);
      after.decodeRow(row, actual, 0);
      assertArrayEquals(expected, actual);
    }
  }

  @Test
  void matricesOfAStackStayApart() {
    byte[] bytes = new byte[2 * 32 * 18];
    new SplittableRandom(8).nextBytes(bytes);
    StoredTensor stored =
        new StoredTensor(NAME, DataType.Q4_0, new Shape(2, 32, 32), MemorySegment.ofArray(bytes));
    StoredTensor arranged = arrangement(LIMIT).arrange(stored, rows -> {});
    float[] expected = new float[32];
    float[] actual = new float[32];
    for (int i = 0; i < 2; i++) {
      for (int row = 0; row < 32; row++) {
        stored.toMatrices().get(i).decodeRow(row, expected, 0);
        arranged.toMatrices().get(i).decodeRow(row, actual, 0);
        assertArrayEquals(expected, actual);
      }
    }
  }
}
