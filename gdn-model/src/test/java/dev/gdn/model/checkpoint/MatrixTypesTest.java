package dev.gdn.model.checkpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.gdn.core.tensor.DataType;
import dev.gdn.model.config.Architecture;
import dev.gdn.model.config.DenseFeedForward;
import dev.gdn.model.config.LayerType;
import dev.gdn.model.config.ModelConfig;
import dev.gdn.model.gguf.FileType;
import dev.gdn.model.synth.TinyCheckpoint;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which matrices of a mixture have the finer type, and what rows of no whole blocks get. */
class MatrixTypesTest {
  /** Every fourth layer is of full attention. */
  private static ModelConfig config(int layers, boolean tied) {
    ModelConfig tiny = TinyCheckpoint.CONFIG;
    return new ModelConfig(
        Architecture.QWEN3_5,
        tiny.vocabularySize(),
        tiny.hiddenSize(),
        IntStream.rangeClosed(1, layers)
            .mapToObj(i -> i % 4 == 0 ? LayerType.FULL_ATTENTION : LayerType.LINEAR_ATTENTION)
            .toList(),
        tiny.normEpsilon(),
        tied,
        tiny.maxPositions(),
        tiny.attention(),
        tiny.linearAttention(),
        Collections.nCopies(layers, new DenseFeedForward(256)));
  }

  private static MatrixTypes types(int layers) {
    return new MatrixTypes(FileType.Q4_K_M, config(layers, true));
  }

  /** By hand from llama.cpp's rule: below n/8, from 7n/8 on, and every third from n/8 + 2 on. */
  @ParameterizedTest
  @CsvSource({
    "4, 2 3",
    "8, 0 3 6 7",
    "20, 0 1 4 7 10 13 16 17 18 19",
    "24, 0 1 2 5 8 11 14 17 20 21 22 23",
    "32, 0 1 2 3 6 9 12 15 18 21 24 27 28 29 30 31"
  })
  void theLastMatrixOfTheFeedForwardIsFinerInSomeLayers(int layers, String finer) {
    for (String name : List.of("ffn_down.weight", "ffn_down_exps.weight", "ffn_down.3.weight")) {
      assertEquals(finer, finerLayers(types(layers), name));
    }
    assertEquals("", finerLayers(types(layers), "ffn_up.weight"));
  }

  /** They count as the first, second, … of all layers: of 24, those are 0 to 2 and 5. */
  @ParameterizedTest
  @CsvSource({"8, 3", "24, 3 7 11 23", "32, 3 7 11 15 27"})
  void thatOfTheValuesIsFinerByItsPlaceAmongThoseOfFullAttention(int layers, String finer) {
    MatrixTypes types = types(layers);
    String attention =
        IntStream.range(0, layers)
            .filter(i -> i % 4 == 3)
            .filter(i -> types.wanted("blk." + i + ".attn_v.weight") == DataType.Q6_K)
            .mapToObj(Integer::toString)
            .collect(Collectors.joining(" "));
    assertEquals(finer, attention);
    assertEquals("", finerLayers(types, "attn_k.weight"));
  }

  private static String finerLayers(MatrixTypes types, String name) {
    return IntStream.range(0, types.config().layers().size())
        .filter(i -> types.wanted("blk." + i + "." + name) == DataType.Q6_K)
        .mapToObj(Integer::toString)
        .collect(Collectors.joining(" "));
  }

  @Test
  void theHeadIsFinerAndSoIsATiedEmbedding() {
    MatrixTypes untied = new MatrixTypes(FileType.Q5_K_M, config(8, false));
    assertEquals(DataType.Q6_K, untied.wanted("output.weight"));
    assertEquals(DataType.Q5_K, untied.wanted("token_embd.weight"));
    assertEquals(DataType.Q5_K, untied.wanted("another.weight"));
    MatrixTypes tied = new MatrixTypes(FileType.Q5_K_M, config(8, true));
    assertEquals(DataType.Q6_K, tied.wanted("token_embd.weight"));
  }

  @ParameterizedTest
  @CsvSource({
    "Q4_K_M, 512, Q4_K",
    "Q4_K_M, 288, Q5_0",
    "Q4_K_M, 272, F16",
    "Q5_K_M, 32, Q5_1",
    "Q5_K_M, 33, F16",
    "Q6_K, 96, Q8_0",
    "Q8_0, 96, Q8_0",
    "Q8_0, 100, F16",
    "Q4_0, 16, F16",
    "BF16, 3, BF16",
    "F32, 1, F32"
  })
  void rowsOfNoWholeBlocksGetAnotherType(FileType fileType, int columns, DataType expected) {
    MatrixTypes types = new MatrixTypes(fileType, config(8, true));
    assertEquals(expected, types.of("blk.1.ffn_up.weight", columns));
  }

  @Test
  void finerMatricesToo() {
    assertEquals(DataType.Q6_K, types(8).of("blk.0.ffn_down.weight", 256));
    assertEquals(DataType.Q8_0, types(8).of("blk.0.ffn_down.weight", 96));
  }
}
