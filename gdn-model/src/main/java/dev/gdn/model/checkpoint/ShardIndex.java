package dev.gdn.model.checkpoint;

import dev.gdn.model.error.CheckpointException;
import dev.gdn.model.file.FileKind;
import dev.gdn.model.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * The {@code model.safetensors.index.json} of a checkpoint in several files, the shards.
 *
 * @param file where it stands
 * @param shardOf the shard's file name by tensor name
 */
record ShardIndex(Path file, Map<String, String> shardOf) {
  private static final String WEIGHT_MAP = "weight_map";

  /**
   * Reads an index and checks that its shards are there.
   *
   * @throws CheckpointException if it is not valid, or names a file that is missing or is not in
   *     the same folder
   */
  static ShardIndex read(Path file) {
    JsonObject index = JsonObject.read(file);
    JsonObject map =
        index.object(WEIGHT_MAP).orElseThrow(() -> index.mismatch(WEIGHT_MAP, "an object"));
    Map<String, String> shardOf = new LinkedHashMap<>();
    Set<String> present = new LinkedHashSet<>();
    for (String tensor : map.keys()) {
      String shard = map.text(tensor).orElseThrow(() -> map.mismatch(tensor, "a file name"));
      if (!isPlainName(shard)) {
        throw map.mismatch(tensor, "the plain name of a file beside the index");
      }
      if (present.add(shard) && !Files.isRegularFile(file.resolveSibling(shard))) {
        throw new CheckpointException(
            file.resolveSibling(shard),
            "tensor " + tensor,
            "the index expects it in this shard, which is "
                + (FileKind.isThere(file.resolveSibling(shard))
                    ? FileKind.describe(file.resolveSibling(shard))
                    : "missing"));
      }
      shardOf.put(tensor, shard);
    }
    if (shardOf.isEmpty()) {
      throw index.mismatch(WEIGHT_MAP, "at least one tensor");
    }
    return new ShardIndex(file, shardOf);
  }

  /** The file names of the shards, each once. */
  Set<String> shards() {
    return new LinkedHashSet<>(shardOf.values());
  }

  private static boolean isPlainName(String name) {
    boolean special = name.isEmpty() || name.equals(".") || name.equals("..");
    if (special || name.chars().anyMatch(c -> c == '/' || c == '\\' || c == ':' || c < ' ')) {
      return false;
    }
    try {
      return Path.of(name).getNameCount() == 1;
    } catch (InvalidPathException e) {
      return false;
    }
  }
}
