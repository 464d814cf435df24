package dev.gdn.model.checkpoint;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.gdn.core.tensor.DataType;
import dev.gdn.core.tensor.Shape;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FingerprintTest {
  private record Tensor(String name, DataType type, Shape shape, byte... bytes) {}

  private static byte[] of(Tensor... tensors) {
    Fingerprint fingerprint = new Fingerprint();
    for (Tensor t : tensors) {
      fingerprint.add(t.name, t.type, t.shape, MemorySegment.ofArray(t.bytes));
    }
    return fingerprint.hash();
  }

  @Test
  void nameTypeShapeAndBytesTellTensorsApart() {
    Shape shape = new Shape(2, 1);
    List<Tensor> tensors =
        List.of(
            new Tensor("a", DataType.F16, shape, new byte[4]),
            new Tensor("b", DataType.F16, shape, new byte[4]),
            new Tensor("a", DataType.BF16, shape, new byte[4]),
            new Tensor("a", DataType.F16, new Shape(1, 2), new byte[4]),
            new Tensor("a", DataType.F16, shape, (byte) 0, (byte) 0, (byte) 0, (byte) 1));
    Set<String> fingerprints = new HashSet<>();
    for (Tensor tensor : tensors) {
      fingerprints.add(HexFormat.of().formatHex(of(tensor)));
    }
    assertEquals(tensors.size(), fingerprints.size());
  }

  @Test
  void theOrderOfTensorsIsOfNoMatter() {
    Tensor a = new Tensor("a", DataType.F16, new Shape(1), (byte) 1, (byte) 2);
    Tensor b = new Tensor("b", DataType.F16, new Shape(1), (byte) 3, (byte) 4);
    assertArrayEquals(of(a, b), of(b, a));
  }
}
