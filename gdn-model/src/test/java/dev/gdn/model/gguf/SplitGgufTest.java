package dev.gdn.model.gguf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gdn.core.tensor.Shape;
import dev.gdn.model.error.CheckpointException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files in several parts, as gguf-split makes them. */
class SplitGgufTest {
  @TempDir Path folder;

  private Path path(int part) {
    return folder.resolve("m-%05d-of-00003.gguf".formatted(part));
  }

  private static GgufValue uint16(int value) {
    return new GgufValue.Whole(GgufValueType.UINT16, value);
  }

  /** Writes a part with one tensor that holds the part's number. */
  private void write(Path file, int number, int count, int tensors, String tensor)
      throws IOException {
    GgufWriter writer =
        new GgufWriter()
            .put("split.no", uint16(number))
            .put("split.count", uint16(count))
            .put("split.tensors.count", new GgufValue.Whole(GgufValueType.INT32, tensors));
    if (number == 0) {
      writer.put("k", GgufValue.of("of the whole"));
    }
    writer
        .tensor(tensor, GgmlType.F32, new Shape(1), MemorySegment.ofArray(new float[] {number}))
        .write(file, (bytes, total) -> {});
  }

  @BeforeEach
  void writeParts() throws IOException {
    write(path(1), 0, 3, 3, "a");
    write(path(2), 1, 3, 3, "b");
    write(path(3), 2, 3, 3, "c");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void anyPartOpensAll(int part) {
    try (GgufFile file = GgufFile.open(path(part))) {
      assertEquals(path(part), file.path());
      assertEquals("of the whole", file.metadata().text("k"));
      assertEquals(List.of("a", "b", "c"), List.copyOf(file.tensors().keySet()));
      for (GgufTensor tensor : file.tensors().values()) {
        int number = "abc".indexOf(tensor.name());
        assertEquals(path(number + 1), tensor.file());
        assertEquals(number, tensor.toStored().toFloats()[0]);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void aLinkOfAnyNameLeadsToAllParts(int part) throws IOException {
    Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
    for (String name : List.of("model.gguf", "n-00001-of-00002.gguf")) {
      Path link = Files.createSymbolicLink(elsewhere.resolve(name), path(part));
      try (GgufFile file = GgufFile.open(link)) {
        assertEquals(List.of("a", "b", "c"), List.copyOf(file.tensors().keySet()));
      }
    }
    assertEquals(
        List.of(path(1).toRealPath(), path(2).toRealPath(), path(3).toRealPath()),
        GgufFile.parts(elsewhere.resolve("model.gguf")));
  }

  /** As a hub's cache has them: the names are the links', and the files' are hashes. */
  @Test
  void linksWithThePartsNamesAreTheParts() throws IOException {
    for (int part = 1; part <= 3; part++) {
      Path blob = Files.move(path(part), folder.resolve("hash" + part));
      Files.createSymbolicLink(path(part), blob);
    }
    try (GgufFile file = GgufFile.open(path(2))) {
      assertEquals(3, file.tensors().size());
    }
  }

  @Test
  void allPartsAreClosed() {
    GgufFile file = GgufFile.open(path(2));
    GgufTensor last = file.tensors().get("c");
    file.close();
    assertThrows(IllegalStateException.class, () -> last.toStored().toFloats());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void aCountOfOneOrNoneIsNoSplit(int count) throws IOException {
    Path single = folder.resolve("single.gguf");
    write(single, 0, count, 1, "a");
    try (GgufFile file = GgufFile.open(single)) {
      assertEquals(1, file.tensors().size());
    }
  }

  private static void assertRefused(Path opened, Path blamed, String subject, String problem) {
    CheckpointException refusal =
        assertThrows(CheckpointException.class, () -> GgufFile.open(opened).close());
    assertEquals(blamed, refusal.file());
    assertEquals(subject, refusal.subject());
    assertTrue(refusal.getMessage().endsWith(": " + problem), refusal.getMessage());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void aPartThatIsMissing(int missing) throws IOException {
    Files.delete(path(missing));
    assertRefused(
        path(missing % 3 + 1),
        path(missing),
        "split",
        "part %d of 3 is missing".formatted(missing));
  }

  @Test
  void aPartUnderAnotherName() throws IOException {
    for (String name :
        List.of(
            "m.gguf",
            "m-00002-of-00004.gguf",
            "m-00000-of-00003.gguf",
            "m-00004-of-00003.gguf",
            "m-2-of-3.gguf")) {
      Path renamed = Files.copy(path(2), folder.resolve(name));
      assertRefused(
          renamed,
          renamed,
          "split.count",
          "expected a name that ends in -00002-of-00003.gguf for a part of 3");
    }
  }

  @Test
  void partsThatChangedPlaces() throws IOException {
    Files.delete(path(3));
    Files.copy(path(2), path(3));
    assertRefused(path(1), path(3), "split.no", "expected 2 as its name says, found 1");
  }

  @Test
  void countsThatDisagree() throws IOException {
    write(path(2), 1, 4, 3, "b");
    assertRefused(path(1), path(2), "split.count", "expected 3 as its name says, found 4");
    new GgufWriter().write(path(2), (bytes, total) -> {});
    assertRefused(path(1), path(2), "split.count", "expected 3 as its name says, found 1");
  }

  @Test
  void aNumberOutOfRangeOrMissing() throws IOException {
    write(path(3), 3, 3, 3, "c");
    assertRefused(path(1), path(3), "split.no", "expected 0 to 2, found 3");
    new GgufWriter().put("split.count", uint16(3)).write(path(3), (bytes, total) -> {});
    assertRefused(path(1), path(3), "split.no", "missing, expected an integer");
  }

  @Test
  void aTensorInTwoParts() throws IOException {
    write(path(3), 2, 3, 3, "a");
    assertRefused(path(2), path(3), "tensor a", "expected one, found one in " + path(1));
  }

  @Test
  void fewerTensorsThanTheFirstPartSays() throws IOException {
    write(path(1), 0, 3, 5, "a");
    assertRefused(
        path(3), path(1), "split.tensors.count", "expected 5 tensors in all parts, found 3");
  }

  @Test
  void aPartThatIsDamaged() throws IOException {
    Files.write(path(2), new byte[] {1, 2, 3, 4});
    assertRefused(path(1), path(2), "magic", "expected the bytes GGUF, found 01020304");
  }
}
