package dev.gdn.model.config;

import dev.gdn.model.error.CheckpointException;
import dev.gdn.model.json.JsonObject;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Reads the {@code quantization_config} of a hub folder's {@code config.json}: block-wise FP8, as
 * Qwen and DeepSeek publish it. Which tensors are quantised, each says by its type, so that the
 * list of modules that are not ({@code modules_to_not_convert}) is not needed.
 */
public final class QuantizationReader {
  private static final String KEY = "quantization_config";
  private static final String BLOCK = "weight_block_size";
  private static final int LARGEST_BLOCK = 1 << 16;

  private QuantizationReader() {}

  /**
   * Reads how matrices are scaled; empty if the checkpoint is not quantised.
   *
   * @throws CheckpointException if it is quantised in another way
   */
  public static Optional<BlockScaling> read(Path configJson) {
    JsonObject config = JsonObject.read(configJson);
    return config
        .object(KEY)
        .or(() -> config.object("text_config").flatMap(text -> text.object(KEY)))
        .map(QuantizationReader::read);
  }

  private static BlockScaling read(JsonObject quantization) {
    expect(quantization, "quant_method", "fp8");
    if (quantization.has("fmt")) {
      expect(quantization, "fmt", "e4m3");
    }
    if (quantization.has("activation_scheme")) {
      expect(quantization, "activation_scheme", "dynamic");
    }
    List<Integer> block = quantization.integers(BLOCK, 1, LARGEST_BLOCK).orElse(List.of());
    if (block.size() != 2) {
      throw quantization.mismatch(BLOCK, "the rows and columns of a block");
    }
    return new BlockScaling(block.get(0), block.get(1));
  }

  private static void expect(JsonObject quantization, String key, String value) {
    if (!quantization.text(key).orElse("").equals(value)) {
      throw quantization.mismatch(key, "\"%s\", the one supported".formatted(value));
    }
  }
}
