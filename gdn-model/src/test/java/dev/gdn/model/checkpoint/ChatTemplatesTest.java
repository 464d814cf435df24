package dev.gdn.model.checkpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gdn.model.config.Architecture;
import dev.gdn.model.error.CheckpointException;
import dev.gdn.model.gguf.FileType;
import dev.gdn.model.gguf.GgufFile;
import dev.gdn.model.gguf.GgufValue;
import dev.gdn.model.gguf.GgufWriter;
import dev.gdn.model.synth.TinyCheckpoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where chat templates are found, in hub folders and in GGUF files. */
class ChatTemplatesTest {
  private static final ChatTemplates NONE = templates(null, Map.of());

  @TempDir Path folder;

  private static ChatTemplates templates(String main, Map<String, String> named) {
    return new ChatTemplates(Optional.ofNullable(main), named, Map.of());
  }

  private void write(String file, String text) throws IOException {
    Path path = folder.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }

  @Test
  void aFolderWithout() throws IOException {
    assertEquals(NONE, HubChatTemplates.read(folder));
    write("tokenizer_config.json", "{\"chat_template\": null}");
    assertEquals(NONE, HubChatTemplates.read(folder));
  }

  @Test
  void oneInTheTokenizersConfiguration() throws IOException {
    write("tokenizer_config.json", "{\"chat_template\": \"{{ x }}\\n\"}");
    assertEquals(templates("{{ x }}\n", Map.of()), HubChatTemplates.read(folder));
  }

  @Test
  void aListOfNamedOnes() throws IOException {
    write(
        "tokenizer_config.json",
        """
        {"chat_template": [{"name": "tool_use", "template": "T"},
                           {"name": "default", "template": "D"}]}\
        """);
    assertEquals(templates("D", Map.of("tool_use", "T")), HubChatTemplates.read(folder));
  }

  @Test
  void specialTokensAreStringsOrObjects() throws IOException {
    write(
        "tokenizer_config.json",
        """
        {"bos_token": null, "eos_token": "<|im_end|>", "additional_special_tokens": ["<x>"],
         "pad_token": {"content": "<|endoftext|>", "lstrip": false}, "unk_token": {}}\
        """);
    assertEquals(
        Map.of("eos_token", "<|im_end|>", "pad_token", "<|endoftext|>"),
        HubChatTemplates.read(folder).specialTokens());
    write("tokenizer_config.json", "{\"eos_token\": 7}");
    String refused = refusal(folder.resolve("tokenizer_config.json"));
    assertTrue(refused.contains("eos_token") && refused.contains("found 7"), refused);
  }

  @Test
  void aGgufFilesSpecialTokensAreItsIds() throws IOException {
    Path tiny = TinyCheckpoint.write(folder, FileType.F32);
    Path changed = folder.resolve("changed.gguf");
    try (GgufCopy copy = new GgufCopy(tiny)) {
      copy.put("tokenizer.ggml.bos_token_id", GgufValue.of(1)).write(changed);
    }
    Checkpoint checkpoint = Checkpoint.open(changed);
    assertEquals(
        checkpoint.readTokenizer().token(1).orElseThrow(),
        checkpoint.readChatTemplates().specialTokens().get("bos_token"));
    try (GgufCopy copy = new GgufCopy(tiny)) {
      copy.put("tokenizer.ggml.bos_token_id", GgufValue.of(320)).write(changed);
    }
    CheckpointException refusal =
        assertThrows(CheckpointException.class, () -> Checkpoint.open(changed).readChatTemplates());
    assertEquals("tokenizer.ggml.bos_token_id", refusal.subject());
    assertTrue(refusal.getMessage().contains("expected 0 to 319, found 320"), refusal.getMessage());
  }

  @Test
  void filesGoBeforeTheConfiguration() throws IOException {
    write("tokenizer_config.json", "{\"chat_template\": \"old\"}");
    write("chat_template.jinja", "{# ü #}");
    write("additional_chat_templates/rag.jinja", "R");
    write("additional_chat_templates/readme.md", "no template");
    assertEquals(templates("{# ü #}", Map.of("rag", "R")), HubChatTemplates.read(folder));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"chat_template\": 1} | chat_template | expected a string, found 1",
        "{\"chat_template\": [1]} | chat_template[0] | expected an object, found 1",
        "{\"chat_template\": [{\"template\": \"T\"}]} | chat_template[0].name | expected a string",
        "{\"chat_template\": [{\"name\": \"a\"}]} | chat_template[0].template | expected a string",
        "{\"chat_template\": [{\"name\": \"a\", \"template\": \"\"},"
            + " {\"name\": \"a\", \"template\": \"\"}]} | chat_template[1].name | each name once"
      })
  void aConfigurationThatIsWrong(String json, String subject, String problem) throws IOException {
    write("tokenizer_config.json", json);
    CheckpointException refusal =
        assertThrows(CheckpointException.class, () -> HubChatTemplates.read(folder));
    assertEquals(folder.resolve("tokenizer_config.json"), refusal.file());
    assertEquals(subject, refusal.subject());
    assertTrue(refusal.getMessage().contains(problem), refusal.getMessage());
  }

  @Test
  void aFileThatIsNoTextOrTooLarge() throws IOException {
    Path file = Files.write(folder.resolve("chat_template.jinja"), new byte[] {(byte) 0xC3});
    String refused = refusal(file);
    assertTrue(refused.contains("expected UTF-8"), refused);
    Files.write(file, new byte[(4 << 20) + 1]);
    refused = refusal(file);
    assertTrue(refused.contains("expected at most 4194304 bytes, found 4194305"), refused);
  }

  private String refusal(Path file) {
    CheckpointException refusal =
        assertThrows(CheckpointException.class, () -> HubChatTemplates.read(folder));
    assertEquals(file, refusal.file());
    return refusal.getMessage();
  }

  @Test
  void ggufFilesKeepThem() throws IOException {
    ChatTemplates templates = templates("{{ ü }}", Map.of("tool_use", "T", "rag", "R"));
    Path file = folder.resolve("templates.gguf");
    GgufWriter writer = new GgufWriter();
    new GgufDescription(writer, Architecture.QWEN3_5).putChatTemplates(templates);
    writer.write(file, (bytes, total) -> {});
    try (GgufFile opened = GgufFile.open(file)) {
      assertEquals(templates, GgufChatTemplates.read(opened.metadata()));
      assertEquals(
          List.of("rag", "tool_use"), opened.metadata().strings("tokenizer.chat_templates"));
    }
  }

  @Test
  void theOneThatGgufFilesNameDefaultIsTheMainOneIfNoneIsWithoutAName() throws IOException {
    Path file = folder.resolve("templates.gguf");
    GgufWriter writer = new GgufWriter();
    writer.put("tokenizer.chat_template.default", GgufValue.of("D"));
    writer.put("tokenizer.chat_template.rag", GgufValue.of("R"));
    writer.write(file, (bytes, total) -> {});
    try (GgufFile opened = GgufFile.open(file)) {
      assertEquals(templates("D", Map.of("rag", "R")), GgufChatTemplates.read(opened.metadata()));
    }
  }

  @Test
  void aGgufCheckpointHasThoseOfItsFile() throws IOException {
    Path tiny = TinyCheckpoint.write(folder, FileType.F32);
    Map<String, String> tokens = Map.of("eos_token", "<|endoftext|>");
    assertEquals(
        new ChatTemplates(Optional.empty(), Map.of(), tokens),
        Checkpoint.open(tiny).readChatTemplates());
    Path changed = folder.resolve("changed.gguf");
    try (GgufCopy copy = new GgufCopy(tiny)) {
      copy.put("tokenizer.chat_template", GgufValue.of("main"))
          .put("tokenizer.chat_template.tool_use", GgufValue.of("tools"))
          .write(changed);
    }
    assertEquals(
        new ChatTemplates(Optional.of("main"), Map.of("tool_use", "tools"), tokens),
        Checkpoint.open(changed).readChatTemplates());
    try (GgufCopy copy = new GgufCopy(tiny)) {
      copy.put("tokenizer.chat_template", GgufValue.of(1)).write(changed);
    }
    CheckpointException refusal =
        assertThrows(CheckpointException.class, () -> Checkpoint.open(changed).readChatTemplates());
    assertEquals("tokenizer.chat_template", refusal.subject());
  }
}
