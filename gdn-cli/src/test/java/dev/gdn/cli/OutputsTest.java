package dev.gdn.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gdn.demo.DemoModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a command writes never takes the place of what it reads. */
class OutputsTest {
  @TempDir Path folder;

  private static void assertKept(Path model, Path out, Path stored) throws IOException {
    byte[] before = Files.readAllBytes(stored);
    Called.with("forward", "--model", model, "--ids", "1", "--out", out)
        .assertRefused("--out", "--model", out);
    if (Files.isDirectory(model)) {
      Called.with("convert", "--model", model, "--out", out).assertRefused("--out", "--model", out);
    }
    assertArrayEquals(before, Files.readAllBytes(stored));
  }

  private Path copiedModel() throws IOException {
    Path model = Files.createDirectory(folder.resolve("model"));
    try (Stream<Path> files = Files.list(DemoModel.extract())) {
      for (Path file : files.toList()) {
        Files.copy(file, model.resolve(file.getFileName()));
      }
    }
    return model;
  }

  @Test
  void everyFileOfAModelsFolderIsKept() throws IOException {
    Path model = copiedModel();
    Path templates = Files.createDirectory(model.resolve("additional_chat_templates"));
    Files.writeString(templates.resolve("tool_use.jinja"), "{{ messages }}");
    List<Path> all = new ArrayList<>();
    try (Stream<Path> files = Files.walk(model)) {
      files.filter(Files::isRegularFile).forEach(all::add);
    }
    assertEquals(8, all.size());
    for (Path file : all) {
      assertKept(model, file, file);
    }
  }

  /** As hubs' caches lay models out, and by a detour. */
  @Test
  void anotherNameOfAFileIsTheSameFile() throws IOException {
    Path model = copiedModel();
    Path shard = model.resolve("model-00002-of-00002.safetensors");
    assertKept(model, model.resolve("../model/model-00002-of-00002.safetensors"), shard);
    Path blob = Files.move(shard, folder.resolve("blob"));
    Files.createSymbolicLink(shard, blob);
    assertKept(model, blob, blob);
    assertKept(model, Files.createSymbolicLink(folder.resolve("link"), blob), blob);
    assertKept(model, Files.createLink(folder.resolve("hard-link"), blob), blob);
    Path other = Files.createSymbolicLink(folder.resolve("other"), model);
    assertKept(other, model.resolve("config.json"), model.resolve("config.json"));
  }

  @Test
  void aGgufFileIsKeptAndSoIsEveryPartOfASplitOne() throws IOException {
    Path whole = folder.resolve("whole.gguf");
    Called.with("convert", "--out", whole).assertDone();
    assertKept(whole, whole, whole);
    Path first = Files.copy(whole, folder.resolve("m-00001-of-00002.gguf"));
    Path second = Files.copy(whole, folder.resolve("m-00002-of-00002.gguf"));
    assertKept(first, second, second);
    assertKept(second, first, first);
    Path linked = Files.createDirectory(folder.resolve("linked"));
    Path link = Files.createSymbolicLink(linked.resolve("model.gguf"), first);
    assertKept(link, second, second);
    assertKept(linked, second, second);
  }

  /** As JSON may write them, and with any ending. */
  @Test
  void shardsOfAnyNameAreKept() throws IOException {
    Path model = copiedModel();
    Path index = model.resolve("model.safetensors.index.json");
    String[][] names = {
      {"wéights.safetensors", "w\\u00e9ights.safetensors", "a\"b", "a\\\"b"},
      {"one.gguf", "one.gguf", "two.state", "t\\u0077o.state"}
    };
    String[] now = {"model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors"};
    String[] written = now.clone();
    for (String[] name : names) {
      for (int i = 0; i < 2; i++) {
        Files.move(model.resolve(now[i]), model.resolve(name[2 * i]));
        Files.writeString(index, Files.readString(index).replace(written[i], name[2 * i + 1]));
        now[i] = name[2 * i];
        written[i] = name[2 * i + 1];
      }
      for (String shard : now) {
        assertKept(model, model.resolve(shard), model.resolve(shard));
      }
    }
    Called.with("forward", "-m", model, "--ids", "1", "-o", folder.resolve("out")).assertDone();
  }

  @Test
  void noNewFileTakesANameThatOpeningLooksFor() throws IOException {
    Path model = copiedModel();
    Path templates = model.resolve("additional_chat_templates");
    Path other = Files.createSymbolicLink(folder.resolve("other"), model);
    for (Path out :
        List.of(
            model.resolve("model.safetensors"),
            model.resolve("chat_template.jinja"),
            other.resolve("model.safetensors"),
            templates)) {
      assertNotWritten(model, out);
    }
    Files.createDirectory(templates);
    assertNotWritten(model, templates.resolve("new.jinja"));
    Path gguf = Files.createDirectory(folder.resolve("gguf"));
    Path whole = gguf.resolve("whole.gguf");
    Called.with("convert", "-m", model, "-o", whole).assertDone();
    for (String name : List.of("config.json", "second.gguf", "second.GGUF", "tokenizer.json")) {
      assertNotWritten(gguf, gguf.resolve(name));
    }
    for (Path out : List.of(gguf.resolve("logits.safetensors"), folder.resolve("config.json"))) {
      Called.with("forward", "-m", gguf, "--ids", "1", "-o", out).assertDone();
    }
  }

  private static void assertNotWritten(Path model, Path out) {
    Called.with("forward", "-m", model, "--ids", "1", "-o", out)
        .assertRefused("--out", "not looked for", out);
    assertFalse(Files.exists(out), out.toString());
  }

  @Test
  void theDemonstrationModelIsKept() throws IOException {
    Path config = DemoModel.extract().resolve("config.json");
    byte[] before = Files.readAllBytes(config);
    Called.with("forward", "--ids", "1", "--out", config).assertRefused("--out", config);
    Called.with("convert", "--out", config).assertRefused("--out", config);
    assertArrayEquals(before, Files.readAllBytes(config));
  }

  @Test
  void whatWasWrittenBesideAModelMayBeReplaced() throws IOException {
    Path model = copiedModel();
    Path logits = model.resolve("logits.safetensors");
    Path gguf = model.resolve("demo.gguf");
    for (int i = 0; i < 2; i++) {
      Called.with("forward", "--model", model, "--ids", "1", "--out", logits).assertDone();
      Called.with("convert", "--model", model, "--out", gguf).assertDone();
    }
    ModelFiles files = new ModelFiles(model);
    Path messages = Files.writeString(model.resolve("c.json"), " [{\"role\": \"user\"}]");
    assertFalse(files.contain(messages));
    assertFalse(files.contain(model.resolve("c.json.state")));
    assertTrue(files.contain(Files.writeString(model.resolve("vocab.json"), "{}")));
    assertTrue(files.contain(model.resolve("tokenizer.model")));
    Path index = model.resolve("model.safetensors.index.json");
    Path shard = Files.writeString(model.resolve("weights.safetensors"), "of an index");
    assertFalse(files.contain(shard));
    Files.writeString(index, "{");
    assertTrue(files.contain(shard), "an index that cannot be read");
    assertTrue(new ModelFiles(folder).contain(folder.resolve("whole.gguf")));
  }

  @Test
  void noCaseOfTheRuleIsReplacedByAnother() throws IOException {
    Path in = Files.createDirectory(folder.resolve("in"));
    Path out = Files.createDirectory(folder.resolve("out"));
    Path first = Files.writeString(in.resolve("a.safetensors"), "first");
    Path second = Files.writeString(in.resolve("b.safetensors"), "second");
    Files.createSymbolicLink(out.resolve("a.safetensors"), second);
    Called rule = Called.with("rule", "--in", in, "--out", out);
    assertEquals(2, rule.code());
    assertTrue(rule.err().contains("expected another place than --in, found " + out), rule.err());
    assertEquals("first", Files.readString(first));
    assertEquals("second", Files.readString(second));
  }

  @Test
  void otherFilesAreReplacedAndNewOnesMayLieBesideAModel() throws IOException {
    Path model = copiedModel();
    Path old = Files.writeString(folder.resolve("old"), "old");
    Path beside = model.resolve("demo.gguf");
    Called.with("forward", "--model", model, "--ids", "1", "--out", old).assertDone();
    Called.with("convert", "--model", model, "--out", beside).assertDone();
    assertTrue(Files.size(old) > 3);
    Called.with("forward", "--model", model, "--ids", "1", "--out", old).assertDone();
  }
}
