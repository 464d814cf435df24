package dev.gdn.model.checkpoint;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gdn.core.rule.HeadMapping;
import dev.gdn.core.tensor.Shape;
import dev.gdn.core.tensor.StoredTensor;
import dev.gdn.model.config.Architecture;
import dev.gdn.model.error.CheckpointException;
import dev.gdn.model.safetensors.SafetensorsWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HubWeightsTest {
  private static final String ONE = "model-00001-of-00002.safetensors";
  private static final String TWO = "model-00002-of-00002.safetensors";

  @TempDir Path folder;

  /** Writes tensors {@code [2]} of ones into a file of the folder. */
  private Path write(String file, String... names) throws IOException {
    SafetensorsWriter writer = new SafetensorsWriter();
    for (String name : names) {
      writer.add(name, new Shape(2), new float[] {1, 1});
    }
    writer.write(folder.resolve(file));
    return folder.resolve(file);
  }

  private Path index(Map<String, String> weightMap) throws IOException {
    String entries =
        weightMap.entrySet().stream()
            .map(e -> "\"%s\":\"%s\"".formatted(e.getKey(), e.getValue()))
            .collect(Collectors.joining(","));
    return Files.writeString(
        folder.resolve("model.safetensors.index.json"),
        "{\"metadata\":{\"total_size\":1},\"weight_map\":{" + entries + "}}");
  }

  private HubWeights open() {
    return open(false);
  }

  private HubWeights open(boolean tiedEmbedding) {
    return HubWeights.open(
        folder, Architecture.QWEN3_5, tiedEmbedding, Optional.empty(), LoadOptions.defaults());
  }

  private static void assertRefused(Path file, String subject, String problem, Executable use) {
    CheckpointException refusal = assertThrows(CheckpointException.class, use);
    assertEquals(file + ": " + subject + ": " + problem, refusal.getMessage());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "model.", "model.language_model."})
  void namesAreFoundUnderEveryPrefix(String prefix) throws IOException {
    write("model.safetensors", prefix + "norm.weight", "lm_head.weight");
    try (HubWeights weights = open()) {
      StoredTensor norm = weights.require("norm.weight", 2);
      assertEquals(prefix + "norm.weight", norm.name());
      assertArrayEquals(new float[] {1, 1}, norm.toFloats());
      weights.require("lm_head.weight", 2);
      assertDoesNotThrow(weights::refuseUnused);
    }
  }

  @Test
  void whatHubCheckpointsStoreDifferentlyFromOthers() throws IOException {
    write("model.safetensors", "model.norm.weight");
    try (HubWeights weights = open()) {
      assertEquals(folder, weights.location());
      assertTrue(weights.zeroCentredNorms());
      assertEquals(HeadMapping.GROUPED, weights.headMapping());
    }
  }

  @Test
  void visionAndMultiTokenPredictionArePassedOverWithOneLine() throws IOException {
    write(
        "model.safetensors",
        "model.language_model.norm.weight",
        "model.visual.blocks.0.norm1.weight",
        "visual.patch_embed.proj.bias",
        "mtp.norm.weight",
        "model.language_model.mtp.norm.weight",
        "model.language_model.layers.3.self_attn.rotary_emb.inv_freq");
    PrintStream before = System.err;
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
    try (HubWeights weights = open()) {
      weights.require("norm.weight", 2);
      assertDoesNotThrow(weights::refuseUnused);
      assertEquals(Optional.empty(), weights.find("model.visual.blocks.0.norm1.weight", 2));
    } finally {
      System.setErr(before);
    }
    String text = log.toString(StandardCharsets.UTF_8);
    assertEquals(1, text.lines().count(), text);
    assertTrue(text.contains("INFO"), text);
    assertTrue(text.contains(folder.toString()), text);
    assertTrue(text.stripTrailing().endsWith("passed over: 5"), text);
  }

  @Test
  void aTensorThatIsMissing() throws IOException {
    write("model.safetensors", "model.norm.weight", "lm_head.bias");
    try (HubWeights weights = open()) {
      assertEquals(Optional.empty(), weights.find("lm_head.weight", 2));
      assertRefused(
          folder,
          "tensor model.layers.0.mlp.up_proj.weight",
          "missing, expected shape [4, 2]",
          () -> weights.require("layers.0.mlp.up_proj.weight", 4, 2));
    }
  }

  @Test
  void aTensorOfAnotherShape() throws IOException {
    Path file = write("model.safetensors", "model.norm.weight");
    try (HubWeights weights = open()) {
      assertRefused(
          file,
          "tensor model.norm.weight",
          "expected shape [1, 2], found [2]",
          () -> weights.require("norm.weight", 1, 2));
      assertThrows(CheckpointException.class, () -> weights.find("norm.weight", 3));
    }
  }

  @Test
  void aTensorOfATypeThatIsNoWeight() throws IOException {
    Path file = folder.resolve("model.safetensors");
    new SafetensorsWriter().add("model.norm.weight", new Shape(2), new long[2]).write(file);
    try (HubWeights weights = open()) {
      assertRefused(
          file,
          "tensor model.norm.weight",
          "expected type F32, F16 or BF16, found I64",
          () -> weights.require("norm.weight", 2));
    }
  }

  @Test
  void aTensorThatNobodyAskedFor() throws IOException {
    Path file = write("model.safetensors", "model.norm.weight", "model.extra", "other");
    try (HubWeights weights = open()) {
      weights.require("norm.weight", 2);
      assertRefused(
          file,
          "tensor model.extra",
          "unknown: a model of this configuration has no such tensor (and 1 more)",
          weights::refuseUnused);
    }
  }

  @Test
  void aHeadIsAnExtraOnlyWhereItIsTied() throws IOException {
    write("model.safetensors", "lm_head.weight");
    try (HubWeights tied = open(true);
        HubWeights untied = open(false)) {
      assertDoesNotThrow(tied::refuseUnused);
      assertThrows(CheckpointException.class, untied::refuseUnused);
    }
  }

  @Test
  void oneWeightUnderTwoNames() throws IOException {
    Path file = write("model.safetensors", "model.norm.weight", "model.language_model.norm.weight");
    assertRefused(
        file,
        "tensor model.language_model.norm.weight",
        "is the same weight as tensor model.norm.weight",
        () -> open().close());
  }

  @Test
  void tensorsAreGoneAfterClose() throws IOException {
    write("model.safetensors", "model.norm.weight");
    HubWeights weights = open();
    StoredTensor norm = weights.require("norm.weight", 2);
    weights.close();
    weights.close();
    assertThrows(IllegalStateException.class, norm::toFloats);
  }

  @Test
  void aFolderWithoutWeights() {
    assertRefused(
        folder,
        "weights",
        "expected model.safetensors or model.safetensors.index.json, found neither",
        () -> open().close());
  }

  @Test
  void shardsAreOneCheckpoint() throws IOException {
    write(ONE, "model.a");
    Path two = write(TWO, "model.b", "mtp.c");
    index(Map.of("model.a", ONE, "model.b", TWO, "mtp.c", TWO));
    try (HubWeights weights = open()) {
      weights.require("a", 2);
      assertRefused(
          two, "tensor model.b", "expected shape [3], found [2]", () -> weights.require("b", 3));
      weights.require("b", 2);
      assertDoesNotThrow(weights::refuseUnused);
    }
  }

  @Test
  void aShardMayHaveASpaceInItsName() throws IOException {
    write("the model.safetensors", "model.a");
    index(Map.of("model.a", "the model.safetensors"));
    try (HubWeights weights = open()) {
      weights.require("a", 2);
    }
  }

  @Test
  void aShardThatIsMissing() throws IOException {
    write(ONE, "model.a");
    index(Map.of("model.a", ONE, "model.b", TWO));
    assertRefused(
        folder.resolve(TWO),
        "tensor model.b",
        "the index expects it in this shard, which is missing",
        () -> open().close());
  }

  @Test
  void aShardThatIsDamaged() throws IOException {
    Files.write(write(ONE, "model.a"), new byte[12]);
    index(Map.of("model.a", ONE));
    CheckpointException refusal = assertThrows(CheckpointException.class, () -> open().close());
    assertEquals(folder.resolve(ONE), refusal.file());
  }

  @Test
  void aTensorThatIsNotWhereTheIndexSays() throws IOException {
    Path one = write(ONE, "model.a");
    Path two = write(TWO, "model.b");
    index(Map.of("model.a", ONE, "model.b", TWO, "model.c", TWO));
    assertRefused(
        two,
        "tensor model.c",
        "the index expects it in this shard, which does not have it",
        () -> open().close());
    write(ONE, "model.a", "model.b");
    index(Map.of("model.a", ONE, "model.b", TWO));
    assertRefused(
        one,
        "tensor model.b",
        "found in this shard, but the index expects it in " + TWO,
        () -> open().close());
  }

  @Test
  void aTensorThatTheIndexDoesNotList() throws IOException {
    Path one = write(ONE, "model.a", "model.b");
    index(Map.of("model.a", ONE));
    assertRefused(
        one,
        "tensor model.b",
        "found in this shard, but the index does not list it",
        () -> open().close());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".", "..", "../x", "/etc/x", "a/b", "a\\\\b", "C:x", "x\\u0000"})
  void aShardOutsideTheFolder(String shard) throws IOException {
    Path index = index(Map.of("model.a", shard));
    CheckpointException refusal = assertThrows(CheckpointException.class, () -> open().close());
    assertEquals(index, refusal.file());
    assertEquals("weight_map.model.a", refusal.subject());
    assertTrue(
        refusal.getMessage().contains("expected the plain name of a file beside the index"),
        refusal.getMessage());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "[]",
        "{\"weight_map\":[]}",
        "{\"weight_map\":{}}",
        "{\"weight_map\":{\"a\":1}}",
        "{\"weight_map\":{\"a\":null}}"
      })
  void anIndexThatIsNone(String text) throws IOException {
    Path index = Files.writeString(folder.resolve("model.safetensors.index.json"), text);
    CheckpointException refusal = assertThrows(CheckpointException.class, () -> open().close());
    assertEquals(index, refusal.file());
  }
}
