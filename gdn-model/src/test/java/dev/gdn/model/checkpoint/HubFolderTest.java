package dev.gdn.model.checkpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.gdn.model.error.CheckpointException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HubFolderTest {
  @TempDir Path folder;

  private static void assertRefused(Path path, String message) {
    assertEquals(
        message, assertThrows(CheckpointException.class, () -> HubFolder.open(path)).getMessage());
  }

  @Test
  void aPathThatIsNoFolder() throws IOException {
    Path missing = folder.resolve("missing");
    assertRefused(
        missing,
        missing
            + ": checkpoint: expected a folder with config.json and model.safetensors,"
            + " found nothing");
    Path file = Files.createFile(folder.resolve("model.safetensors"));
    assertRefused(
        file,
        file
            + ": checkpoint: expected a folder with config.json and model.safetensors,"
            + " found a file");
  }

  @Test
  void aFolderWithoutConfiguration() {
    Path config = folder.resolve("config.json");
    assertRefused(folder, config + ": JSON file: no such file");
  }
}
