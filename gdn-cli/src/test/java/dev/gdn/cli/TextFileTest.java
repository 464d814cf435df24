package dev.gdn.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Texts that are not there, named in any way. */
class TextFileTest {
  @TempDir Path folder;

  private void assertRefused(Path text, String reason) throws Exception {
    Path messages = Files.writeString(folder.resolve("messages.json"), "[]");
    Called.with("template", "--messages", text).assertRefused(text, reason);
    Called.with("template", "--messages", messages, "--tools", text).assertRefused(text, reason);
    Called.with("template", "--messages", messages, "--template", text).assertRefused(text, reason);
    Called.with("perplexity", "--file", text).assertRefused(text, reason);
    Called.with("generate", "--json-schema", text, "Once").assertRefused(text, reason);
  }

  @ParameterizedTest
  @ValueSource(strings = {"missing", "./missing", "no/such/missing", "/missing", "/dev/fd/missing"})
  void missingFilesAreRefused(String name) throws Exception {
    assertRefused(Path.of(name), "no such file or folder");
  }

  @Test
  void aMissingFileInAFolderIsRefused() throws Exception {
    assertRefused(folder.resolve("missing"), "no such file or folder");
  }

  @ParameterizedTest
  @ValueSource(strings = {".", "src", "/"})
  void foldersAreRefused(String name) throws Exception {
    assertRefused(Path.of(name), "expected a regular file, found a folder");
  }
}
