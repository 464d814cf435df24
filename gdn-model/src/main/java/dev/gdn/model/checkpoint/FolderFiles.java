package dev.gdn.model.checkpoint;

import dev.gdn.model.error.CheckpointException;
import dev.gdn.model.file.FileKind;
import dev.gdn.model.gguf.GgufFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Which files in a folder make up the checkpoint there, by their names: for those who write beside
 * it. A new file with such a name makes of it another checkpoint, or none that opens.
 */
public final class FolderFiles {
  /** The folder in a checkpoint's of which every file is a chat template. */
  public static final String TEMPLATES = HubChatTemplates.MORE;

  private static final Set<String> NAMES =
      Set.of(
          HubFolder.CONFIG,
          HubFolder.GENERATION_CONFIG,
          HubFolder.TOKENIZER,
          HubWeights.SINGLE_FILE,
          HubWeights.INDEX,
          HubChatTemplates.CONFIG,
          HubChatTemplates.FILE,
          HubChatTemplates.MORE);

  private FolderFiles() {}

  /**
   * Whether {@link Checkpoint#open}, or what opens the weights, the tokenizer and the templates
   * after it, looks at a file of this name, if it is there: the files of a hub folder with the
   * shards that its index names, and without a {@code config.json} every GGUF file. An index that
   * cannot be read may name any file that is there.
   *
   * @param folder of the checkpoint
   * @param name of a file in it
   */
  public static boolean isLookedFor(Path folder, String name) {
    boolean hub = FileKind.isThere(folder.resolve(HubFolder.CONFIG));
    return NAMES.contains(name)
        || (!hub && GgufFolder.isModel(name))
        || (hub && isShard(folder, name));
  }

  /**
   * What a model is read from, as far as that is known without reading it: the folder, or the file
   * with all parts of a split one. Beside a folder with such a file, also the parts, which lie
   * elsewhere where the file is a symbolic link.
   *
   * @param model a folder or a file; a folder with several GGUF files is no model, and counts alone
   */
  public static List<Path> readFor(Path model) {
    try {
      return GgufFolder.file(model)
          .map(file -> Stream.concat(Stream.of(model), GgufFile.parts(file).stream()).toList())
          .orElseGet(() -> GgufFile.parts(model));
    } catch (CheckpointException e) {
      return List.of(model);
    }
  }

  private static boolean isShard(Path folder, String name) {
    Path index = folder.resolve(HubWeights.INDEX);
    try {
      return Files.exists(index) && ShardIndex.read(index).shards().contains(name);
    } catch (CheckpointException e) {
      return FileKind.isThere(folder.resolve(name));
    }
  }
}
