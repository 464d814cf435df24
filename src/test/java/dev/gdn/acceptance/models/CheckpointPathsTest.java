package dev.gdn.acceptance.models;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gdn.core.concurrent.Workers;
import dev.gdn.model.LanguageModel;
import dev.gdn.model.checkpoint.Checkpoint;
import dev.gdn.model.convert.HubToGguf;
import dev.gdn.model.error.CheckpointException;
import dev.gdn.model.gguf.FileType;
import dev.gdn.model.gguf.GgufFile;
import dev.gdn.model.gguf.GgufValue;
import dev.gdn.model.gguf.GgufWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What lies where a checkpoint's files are looked for. */
class CheckpointPathsTest {
  private static final Path HUB = Path.of("resources/fixtures/models/qwen3_5");
  private static final Path GGUF = Path.of("resources/fixtures/gguf/qwen35-F32.gguf");
  private static final String NOWHERE = "found a symbolic link that leads nowhere";

  @TempDir Path folder;

  private static void assertRefused(Executable call, Object... said) {
    String message = assertThrows(CheckpointException.class, call).getMessage();
    for (Object part : said) {
      assertTrue(message.contains(part.toString()), () -> "expected " + part + " in " + message);
    }
  }

  private void copyHub() throws IOException {
    for (String name : new String[] {"config.json", "model.safetensors"}) {
      Files.copy(HUB.resolve(name), folder.resolve(name));
    }
  }

  private static float[] logits(Path path) {
    try (LanguageModel model = LanguageModel.open(path)) {
      return model.newSession().prefill(3, 1, 4).clone();
    }
  }

  /** A download that was interrupted, or a cache that was cleared, leaves such links. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "config.json",
        "generation_config.json",
        "model.safetensors",
        "model.safetensors.index.json",
        "tokenizer.json",
        "tokenizer_config.json",
        "chat_template.jinja",
        "additional_chat_templates"
      })
  void aLinkThatLeadsNowhereIsSaidToBeOne(String name) throws IOException {
    copyHub();
    if (name.endsWith("index.json")) {
      Files.delete(folder.resolve("model.safetensors"));
    }
    Path link = folder.resolve(name);
    Files.deleteIfExists(link);
    Files.createSymbolicLink(link, Path.of("gone"));
    Executable use =
        () -> {
          try (LanguageModel model = LanguageModel.open(folder)) {
            Checkpoint.open(folder).readChatTemplates();
            model.tokenizer();
          }
        };
    assertRefused(use, link + ": ", NOWHERE);
    Files.delete(link);
    Files.createDirectory(link);
    if (!name.equals("additional_chat_templates")) {
      assertRefused(use, link + ": ", "found a folder");
    }
  }

  @Test
  void aFolderWithOneGgufFileIsThatFile() throws IOException {
    Files.copy(GGUF, folder.resolve("model.gguf"));
    Files.createFile(folder.resolve("mmproj-F16.gguf"));
    Files.createFile(folder.resolve("._model.gguf"));
    Files.writeString(folder.resolve("README.md"), "of the model");
    assertArrayEquals(logits(GGUF), logits(folder));
    assertEquals(folder.resolve("model.gguf"), Checkpoint.open(folder).path());
  }

  @Test
  void aFolderWithSeveralGgufFilesIsRefusedByTheirNames() throws IOException {
    for (int i = 0; i < 9; i++) {
      Files.createFile(folder.resolve("m" + i + ".gguf"));
      if (i == 1) {
        assertRefused(
            () -> LanguageModel.open(folder),
            folder + ": checkpoint: expected config.json or one GGUF file, found 2",
            "m0.gguf, m1.gguf");
      }
    }
    assertRefused(() -> LanguageModel.open(folder), "found 9", "m7.gguf, …");
  }

  @Test
  void partsOfASplitFileCountAsOne() throws IOException {
    Files.copy(GGUF, folder.resolve("m-00001-of-00002.gguf"));
    Files.createFile(folder.resolve("m-00002-of-00002.gguf"));
    // Which does not say that it is split.
    assertArrayEquals(logits(GGUF), logits(folder));
    Files.createFile(folder.resolve("n-00002-of-00002.gguf"));
    assertRefused(() -> LanguageModel.open(folder), "m-00001-of-00002.gguf, n-00002-of-00002.gguf");
  }

  @Test
  void aFolderOfAHubIsNotTakenForItsGgufFile() throws IOException {
    copyHub();
    float[] expected = logits(folder);
    HubToGguf.convert(
        folder, FileType.Q8_0, folder.resolve("q.gguf"), Workers.shared(), (done, of) -> {});
    assertArrayEquals(expected, logits(folder));
  }

  @Test
  void aFolderWithoutAModelIsSaidToBeOne() throws IOException {
    String expected = folder + ": checkpoint: expected config.json or a model's GGUF file, found";
    assertRefused(() -> LanguageModel.open(folder), expected);
    Files.copy(GGUF, folder.resolve("mmproj.gguf"));
    assertRefused(() -> LanguageModel.open(folder), expected);
  }

  @Test
  void theEndingOfAGgufFileMayBeWrittenLarge() throws IOException {
    Files.copy(GGUF, folder.resolve("m.GGUF"));
    assertArrayEquals(logits(GGUF), logits(folder));
  }

  @Test
  void ofASplitFileInAFolderTheMissingPartIsNamed() throws IOException {
    Path second = folder.resolve("m-00002-of-00003.gguf");
    writePart(second, 1, 3);
    assertRefused(
        () -> LanguageModel.open(folder),
        folder.resolve("m-00001-of-00003.gguf") + ": ",
        "part 1 of 3 is missing");
  }

  private static void writePart(Path part, int number, int count) throws IOException {
    try (GgufFile file = GgufFile.open(GGUF)) {
      GgufWriter writer = new GgufWriter();
      file.metadata().values().forEach(writer::put);
      writer.put("split.no", GgufValue.of(number)).put("split.count", GgufValue.of(count));
      writer.write(part, (done, of) -> {});
    }
  }

  /** Of several files the one that is wrong is named, with what is there in its place. */
  @Test
  void aPartThatIsNoFileIsNotCalledMissing() throws IOException {
    copyHub();
    Files.delete(folder.resolve("model.safetensors"));
    Path index = folder.resolve("model.safetensors.index.json");
    Files.writeString(index, "{\"weight_map\": {\"model.norm.weight\": \"a.safetensors\"}}");
    Path shard = folder.resolve("a.safetensors");
    assertRefused(() -> LanguageModel.open(folder), shard + ": ", "which is missing");
    Files.createSymbolicLink(shard, Path.of("gone"));
    assertRefused(() -> LanguageModel.open(folder), shard + ": ", "that leads nowhere");

    Path first = folder.resolve("m-00001-of-00002.gguf");
    Path second = folder.resolve("m-00002-of-00002.gguf");
    writePart(first, 0, 2);
    assertRefused(() -> LanguageModel.open(first), second + ": ", "part 2 of 2 is missing");
    Files.createDirectory(second);
    assertRefused(
        () -> LanguageModel.open(first),
        second + ": ",
        "expected a file as part 2 of 2, found a folder");
    Files.delete(second);
    Files.createSymbolicLink(second, Path.of("gone"));
    assertRefused(() -> LanguageModel.open(first), second + ": ", "part 2 of 2, " + NOWHERE);
  }
}
