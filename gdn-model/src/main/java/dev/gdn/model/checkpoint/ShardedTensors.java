package dev.gdn.model.checkpoint;

import dev.gdn.model.error.CheckpointException;
import dev.gdn.model.safetensors.SafetensorsFile;
import dev.gdn.model.safetensors.SafetensorsTensor;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** Maps the shards of a checkpoint, which must hold exactly what the index says. */
final class ShardedTensors {
  private ShardedTensors() {}

  /**
   * All tensors by their names in the files.
   *
   * @param arena the mappings live as long as it does
   * @throws CheckpointException if a shard is not valid, lacks a tensor or has one too many
   */
  static Map<String, SafetensorsTensor> open(ShardIndex index, Arena arena) {
    Map<String, SafetensorsTensor> tensors = new LinkedHashMap<>();
    for (String shard : index.shards()) {
      Path file = index.file().resolveSibling(shard);
      for (SafetensorsTensor tensor : SafetensorsFile.open(file, arena).tensors().values()) {
        add(tensor, shard, index, tensors);
      }
    }
    index
        .shardOf()
        .forEach(
            (name, shard) -> {
              if (!tensors.containsKey(name)) {
                throw new CheckpointException(
                    index.file().resolveSibling(shard),
                    "tensor " + name,
                    "the index expects it in this shard, which does not have it");
              }
            });
    return tensors;
  }

  private static void add(
      SafetensorsTensor tensor,
      String shard,
      ShardIndex index,
      Map<String, SafetensorsTensor> tensors) {
    String expected = index.shardOf().get(tensor.name());
    if (!shard.equals(expected)) {
      throw new CheckpointException(
          tensor.file(),
          "tensor " + tensor.name(),
          expected == null
              ? "found in this shard, but the index does not list it"
              : "found in this shard, but the index expects it in " + expected);
    }
    tensors.put(tensor.name(), tensor);
  }
}
