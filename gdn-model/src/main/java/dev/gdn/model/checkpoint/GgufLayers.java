package dev.gdn.model.checkpoint;

import dev.gdn.model.config.LayerType;
import dev.gdn.model.error.CheckpointException;
import dev.gdn.model.gguf.GgufFile;
import dev.gdn.model.gguf.GgufMetadata;
import dev.gdn.model.gguf.GgufValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;

/**
 * Reads which layers of a GGUF file are linear and which are attention, and the heads of keys and
 * values in the latter. llama.cpp writes one number of heads and the interval between attention
 * layers, or a flag for each layer; Ollama a number of heads for each layer, 0 in linear ones.
 */
final class GgufLayers {
  static final String LINEAR_LAYERS = "attention.recurrent_layers";
  static final String INTERVAL = "full_attention_interval";
  private static final String KEY_VALUE_HEADS = "attention.head_count_kv";

  private static final int DEFAULT_INTERVAL = 4;

  private final GgufFile file;
  private final GgufMetadata metadata;
  private final GgufModel model;

  GgufLayers(GgufFile file, GgufModel model) {
    this.file = file;
    this.metadata = file.metadata();
    this.model = model;
  }

  /**
   * Blocks of the file: the model's layers and those for multi-token prediction.
   *
   * @throws CheckpointException if the metadata does not say how many
   */
  static int blocks(GgufFile file, GgufModel model) {
    return file.metadata().whole(model.key("block_count"), 1, file.tensors().size());
  }

  /**
   * The kind of every layer of the model.
   *
   * @throws CheckpointException if the metadata does not say it or contradicts itself
   */
  List<LayerType> types() {
    int blocks = blocks(file, model);
    // Layers for multi-token prediction stand after the model's own and are counted with them.
    int extra = metadata.findWhole(model.key("nextn_predict_layers"), 0, blocks - 1).orElse(0);
    int layers = blocks - extra;
    Optional<boolean[]> linear = metadata.findFlags(model.key(LINEAR_LAYERS));
    if (linear.isPresent()) {
      expectOneEach(LINEAR_LAYERS, linear.get().length, blocks, blocks);
      return plan(layers, i -> linear.get()[i]);
    }
    Optional<long[]> heads = listedHeads();
    heads.ifPresent(list -> expectOneEach(KEY_VALUE_HEADS, list.length, layers, blocks));
    if (heads.isPresent() && Arrays.stream(heads.get()).anyMatch(count -> count == 0)) {
      return plan(layers, i -> heads.get()[i] == 0);
    }
    int interval =
        metadata.findWhole(model.key(INTERVAL), 1, GgufConfig.MOST).orElse(DEFAULT_INTERVAL);
    return plan(layers, i -> layerType(i, interval) == LayerType.LINEAR_ATTENTION);
  }

  private static List<LayerType> plan(int layers, IntPredicate linear) {
    List<LayerType> plan = new ArrayList<>();
    for (int i = 0; i < layers; i++) {
      plan.add(linear.test(i) ? LayerType.LINEAR_ATTENTION : LayerType.FULL_ATTENTION);
    }
    return plan;
  }

  /** The kind of a layer where every {@code interval}-th one is attention. */
  static LayerType layerType(int index, int interval) {
    return (index + 1) % interval == 0 ? LayerType.FULL_ATTENTION : LayerType.LINEAR_ATTENTION;
  }

  private void expectOneEach(String name, int found, int layers, int blocks) {
    if (found != layers && found != blocks) {
      throw metadata.problem(
          model.key(name), "expected %d, one for each block, found %d".formatted(blocks, found));
    }
  }

  /**
   * Heads of keys and values, the same in every attention layer.
   *
   * @throws CheckpointException if the metadata does not say it or gives layers different ones
   */
  int keyValueHeads() {
    String key = model.key(KEY_VALUE_HEADS);
    Optional<long[]> listed = listedHeads();
    if (listed.isEmpty()) {
      return metadata.whole(key, 1, GgufConfig.MOST);
    }
    long[] distinct = Arrays.stream(listed.get()).filter(count -> count != 0).distinct().toArray();
    if (distinct.length != 1 || distinct[0] < 1 || distinct[0] > GgufConfig.MOST) {
      throw metadata.problem(
          key,
          "expected 1 to %d, the same for every attention layer, found %s"
              .formatted(
                  GgufConfig.MOST,
                  distinct.length <= 8
                      ? Arrays.toString(distinct)
                      : distinct.length + " different numbers"));
    }
    return (int) distinct[0];
  }

  private Optional<long[]> listedHeads() {
    String key = model.key(KEY_VALUE_HEADS);
    return metadata.values().get(key) instanceof GgufValue.Items
        ? metadata.findWholes(key)
        : Optional.empty();
  }
}
