package dev.gdn.demo;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoModelTest {
  @TempDir Path temp;

  @Test
  void listingNamesExactlyTheResources() throws IOException {
    Path resources = DemoModel.extract();
    assertEquals(fileNames(resources), ModelFile.all().stream().map(ModelFile::name).toList());
  }

  @Test
  void unpacksEveryFileAndLeavesNothingElse() throws IOException {
    Path folder = DemoModel.extract(temp.resolve("a/b"));
    assertSameFiles(folder);
  }

  @Test
  void keepsWhatIsThere() throws IOException {
    Path folder = DemoModel.extract(temp);
    FileTime longAgo = FileTime.fromMillis(0);
    Files.setLastModifiedTime(folder.resolve("config.json"), longAgo);
    DemoModel.extract(temp);
    assertEquals(longAgo, Files.getLastModifiedTime(folder.resolve("config.json")));
  }

  @Test
  void completesAnAttemptThatWasCutShort() throws IOException {
    DemoModel.extract(temp);
    Files.delete(temp.resolve("tokenizer.json"));
    Files.writeString(temp.resolve("config.json"), "{");
    DemoModel.extract(temp);
    assertSameFiles(temp);
  }

  @Test
  void severalAtOnceDoNoHarm() throws Exception {
    try (ExecutorService pool = Executors.newFixedThreadPool(4)) {
      Callable<Path> extraction = () -> DemoModel.extract(temp.resolve("shared"));
      for (Future<Path> done :
          pool.invokeAll(List.of(extraction, extraction, extraction, extraction))) {
        assertSameFiles(done.get());
      }
    }
  }

  @Test
  void saysWhereItCannotWrite() throws IOException {
    Path file = Files.writeString(temp.resolve("file"), "in the way");
    Path folder = file.resolve("model");
    UncheckedIOException e =
        assertThrows(UncheckedIOException.class, () -> DemoModel.extract(folder));
    assertTrue(e.getMessage().contains(folder.toString()), e.getMessage());
  }

  @Test
  void refusesADamagedResource() {
    ModelFile wrong = new ModelFile("0".repeat(64), 1211, "config.json");
    IOException e = assertThrows(IOException.class, () -> wrong.copyTo(temp.resolve("x")));
    assertTrue(e.getMessage().contains("config.json is damaged"), e.getMessage());
  }

  @Test
  void cachesWhereThePlatformSays() {
    assertEquals(temp.resolve("gdn"), DemoModel.cache(temp.toString(), "/home/u").getParent());
    Path home = temp.resolve("home");
    Path usual = home.resolve(".cache/gdn");
    assertEquals(usual, DemoModel.cache(null, home.toString()).getParent());
    assertEquals(usual, DemoModel.cache("not/absolute", home.toString()).getParent());
    assertFalse(DemoModel.cache(null, home.toString()).getFileName().toString().isEmpty());
  }

  private static void assertSameFiles(Path folder) throws IOException {
    assertEquals(ModelFile.all().stream().map(ModelFile::name).toList(), fileNames(folder));
    for (ModelFile file : ModelFile.all()) {
      assertArrayEquals(
          Files.readAllBytes(DemoModel.extract().resolve(file.name())),
          Files.readAllBytes(folder.resolve(file.name())),
          file.name());
    }
  }

  private static List<String> fileNames(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }
}
