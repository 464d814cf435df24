package dev.gdn.acceptance.models;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.gdn.core.tensor.BlockEncoder;
import dev.gdn.core.tensor.DataType;
import dev.gdn.core.tensor.StoredTensor;
import dev.gdn.demo.DemoModel;
import dev.gdn.model.checkpoint.HubFolder;
import dev.gdn.model.checkpoint.WeightSource;
import java.lang.foreign.MemorySegment;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Weights of the demonstration model, quantised, against the bytes that llama.cpp makes of them.
 */
class QuantisationTest {
  @ParameterizedTest
  @CsvSource({
    "embed_tokens, 4096, 320, Q8_0,"
        + " cfdab0bcd7734b32c94ea2fd32bb4d73d8cbba43a019132d78601e0844c7ff66",
    "embed_tokens, 4096, 320, Q4_0,"
        + " 35238ba638f3094c5a9147729e1daf85cfdac91ab5c80f1b837df80c000c46eb",
    "layers.3.mlp.down_proj, 320, 896, Q8_0,"
        + " 0289751b5f62c61ecceb210d66573144f2e210fb213f0f28d477e7c029be69a3",
    "layers.0.mlp.gate_proj, 896, 320, Q5_0,"
        + " 9b923448db11d3bbea855accdb4d6ea0c06c65217b844b4775d500a3940bfec9",
    "layers.3.mlp.down_proj, 320, 896, Q4_0,"
        + " efa78e70f77c24638021dd57bf63b711da98d6ed7d557a42d0322f62ca8d4e58"
  })
  void bytesAreTheReferences(String name, int rows, int columns, DataType type, String sha256)
      throws NoSuchAlgorithmException {
    try (WeightSource weights = HubFolder.open(DemoModel.extract()).openWeights()) {
      StoredTensor tensor = weights.require(name + ".weight", rows, columns);
      float[] values = tensor.toFloats();
      byte[] encoded = new byte[Math.toIntExact(type.bytes(values.length))];
      BlockEncoder.encode(type, values, 0, values.length, MemorySegment.ofArray(encoded), 0);
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(encoded);
      assertEquals(sha256, HexFormat.of().formatHex(digest));
    }
  }
}
