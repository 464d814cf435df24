package dev.gdn.model.checkpoint;

import dev.gdn.core.tensor.DataType;
import dev.gdn.model.config.LayerType;
import dev.gdn.model.config.ModelConfig;
import dev.gdn.model.gguf.FileType;
import java.util.List;

/**
 * Which type each matrix of a GGUF file gets. Mixtures are llama.cpp's: the head has the finer
 * type, and so has the last matrix of the feed-forward in the first and the last eighth of the
 * layers and every third between them, and likewise that of the values. Rows that are no whole
 * number of blocks get another type, as there: for blocks of 256 the one next in size with blocks
 * of 32; where these do not fit either, F16.
 *
 * @param fileType says the types
 * @param config the model's sizes
 */
public record MatrixTypes(FileType fileType, ModelConfig config) {
  private static final String HEAD = "output.weight";
  private static final String EMBEDDING = "token_embd.weight";

  /**
   * The type of a matrix.
   *
   * @param name in the file
   * @param columns elements of a row
   */
  public DataType of(String name, int columns) {
    DataType type = wanted(name);
    if (columns % type.blockElements() != 0) {
      type = inSmallerBlocks(type);
    }
    return columns % type.blockElements() == 0 ? type : DataType.F16;
  }

  /** The type that a matrix would have if every number of columns suited it. */
  public DataType wanted(String name) {
    return isFiner(name) ? fileType.finer() : fileType.usual();
  }

  private boolean isFiner(String name) {
    if (name.equals(HEAD) || name.equals(EMBEDDING)) {
      return name.equals(HEAD) || config.tiedEmbedding();
    }
    if (!name.startsWith("blk.")) {
      return false;
    }
    List<LayerType> layers = config.layers();
    int layer = Integer.parseInt(name, 4, name.indexOf('.', 4), 10);
    if (name.contains(".ffn_down")) {
      return isFiner(layer, layers.size());
    }
    // Counted among all layers, though only those of full attention have such a matrix.
    long before =
        layers.subList(0, layer).stream().filter(LayerType.FULL_ATTENTION::equals).count();
    return name.endsWith(".attn_v.weight") && isFiner((int) before, layers.size());
  }

  private static boolean isFiner(int index, int count) {
    int eighth = count / 8;
    return index < eighth || index >= 7 * count / 8 || (index - eighth) % 3 == 2;
  }

  private static DataType inSmallerBlocks(DataType type) {
    return switch (type) {
      case Q4_K -> DataType.Q5_0;
      case Q5_K -> DataType.Q5_1;
      case Q6_K -> DataType.Q8_0;
      default -> type;
    };
  }
}
