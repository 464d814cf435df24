package dev.gdn.acceptance.models;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gdn.core.tensor.Shape;
import dev.gdn.model.LanguageModel;
import dev.gdn.model.Session;
import dev.gdn.model.error.CheckpointException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same weights in every layout that hub checkpoints have them in give the same bits. */
class HubLayoutsTest {
  private static final Path MIXTURE = Path.of("resources/fixtures/models/qwen3_5_moe");
  private static final Path NEXT = Path.of("resources/fixtures/models/qwen3_next");
  private static final int LAYERS = ExpertLayouts.LAYERS;

  @TempDir Path folder;

  private HubCopy mixture;
  private HubCopy next;

  @BeforeEach
  void read() throws IOException {
    mixture = new HubCopy(MIXTURE);
    next = new HubCopy(NEXT);
  }

  private float[][] logits(HubCopy copy) throws IOException {
    return logits(copy.write(folder));
  }

  private static float[][] logits(Path folder) {
    try (LanguageModel model = LanguageModel.open(folder)) {
      Session session = model.newSession();
      float[] prefilled = session.prefill(IntStream.range(0, 40).toArray()).clone();
      return new float[][] {prefilled, session.decode(7).clone()};
    }
  }

  private void assertSame(float[][] expected, HubCopy copy) throws IOException {
    float[][] actual = logits(copy);
    assertArrayEquals(expected[0], actual[0]);
    assertArrayEquals(expected[1], actual[1]);
  }

  private void assertRefused(HubCopy copy, String subject, String problem) throws IOException {
    copy.write(folder);
    CheckpointException refusal =
        assertThrows(CheckpointException.class, () -> LanguageModel.open(folder).close());
    assertTrue(refusal.file().startsWith(folder), refusal.getMessage());
    assertEquals(subject, refusal.subject());
    assertTrue(refusal.getMessage().contains(problem), refusal.getMessage());
  }

  @Test
  void expertsOneByOneWithGateAndUpAsOne() throws IOException {
    float[][] expected = logits(mixture);
    ExpertLayouts.joinGateAndUp(mixture);
    assertSame(expected, mixture);
  }

  @Test
  void expertsAsStacksWithGateAndUpAsOne() throws IOException {
    float[][] expected = logits(mixture);
    assertSame(expected, ExpertLayouts.stackAll(mixture));
  }

  @Test
  void expertsAsStacksOfTheirOwn() throws IOException {
    float[][] expected = logits(mixture);
    for (int layer = 0; layer < LAYERS; layer++) {
      ExpertLayouts.stack(mixture, layer, "gate_proj", "gate_proj.weight", 32, 64);
      ExpertLayouts.stack(mixture, layer, "up_proj", "up_proj.weight", 32, 64);
      ExpertLayouts.stack(mixture, layer, "down_proj", "down_proj.weight", 64, 32);
    }
    assertSame(expected, mixture);
  }

  // Sums may come in another order.
  @Test
  void weightsInBinary16() throws IOException {
    for (HubCopy copy : new HubCopy[] {mixture.round(), next.round()}) {
      float[][] expected = logits(copy);
      float[][] actual = logits(copy.writeHalves(folder));
      assertArrayEquals(expected[0], actual[0], 1e-5f);
      assertArrayEquals(expected[1], actual[1], 1e-5f);
    }
  }

  @Test
  void theTextPartOfAMultimodalCheckpoint() throws IOException {
    float[][] expected = logits(mixture);
    mixture.rename(name -> name.replaceFirst("^model\\.", "model.language_model."));
    mixture.put("model.visual.patch_embed.proj.weight", new Shape(2), new float[2]);
    var text = mixture.config().deepCopy();
    mixture.config().removeAll().put("model_type", "qwen3_5_moe").set("text_config", text);
    assertSame(expected, mixture);
  }

  /** How norm weights are stored is a matter of the format, not of what else is in the file. */
  @Test
  void tensorsOfMultiTokenPredictionChangeNothing() throws IOException {
    for (HubCopy copy : new HubCopy[] {mixture, next}) {
      float[][] expected = logits(copy);
      float[] ones = new float[64];
      Arrays.fill(ones, 1);
      copy.put("mtp.norm.weight", new Shape(64), ones)
          .put("mtp.pre_fc_norm_hidden.weight", new Shape(64), ones)
          .put("mtp.layers.0.input_layernorm.weight", new Shape(64), ones)
          .put("mtp.layers.0.mlp.experts.0.down_proj.weight", new Shape(64), ones);
      assertSame(expected, copy);
    }
  }

  @Test
  void projectionsOfQwen3NextByThemselves() throws IOException {
    float[][] expected = logits(next);
    // Two key heads of 16, two value heads of 16 for each.
    for (int layer = 0; layer < LAYERS - 1; layer++) {
      String prefix = "model.layers.%d.linear_attn.".formatted(layer);
      String qkvz = prefix + "in_proj_qkvz.weight";
      String ba = prefix + "in_proj_ba.weight";
      next.put(
          prefix + "in_proj_qkv.weight",
          new Shape(128, 64),
          joined(
              next.rows(qkvz, 0, 16),
              next.rows(qkvz, 96, 16),
              next.rows(qkvz, 16, 16),
              next.rows(qkvz, 112, 16),
              next.rows(qkvz, 32, 32),
              next.rows(qkvz, 128, 32)));
      next.put(
          prefix + "in_proj_z.weight",
          new Shape(64, 64),
          joined(next.rows(qkvz, 64, 32), next.rows(qkvz, 160, 32)));
      next.put(
          prefix + "in_proj_b.weight",
          new Shape(4, 64),
          joined(next.rows(ba, 0, 2), next.rows(ba, 4, 2)));
      next.put(
          prefix + "in_proj_a.weight",
          new Shape(4, 64),
          joined(next.rows(ba, 2, 2), next.rows(ba, 6, 2)));
      next.remove(qkvz).remove(ba);
    }
    assertSame(expected, next);
  }

  private static float[] joined(float[]... parts) {
    float[] joined = new float[Arrays.stream(parts).mapToInt(part -> part.length).sum()];
    int to = 0;
    for (float[] part : parts) {
      System.arraycopy(part, 0, joined, to, part.length);
      to += part.length;
    }
    return joined;
  }

  @Test
  void theOlderKeysOfAConfiguration() throws IOException {
    float[][] expected = logits(next);
    next.config().remove("rope_parameters");
    next.config().remove("layer_types");
    next.config().put("rope_theta", 1e7).put("full_attention_interval", 4);
    assertSame(expected, next);
  }

  @Test
  void expertsThatAreMissingOrOfAnotherSize() throws IOException {
    String name = ExpertLayouts.name(2, 5, "up_proj");
    float[] values = mixture.values(name);
    assertRefused(mixture.remove(name), "tensor " + name, "missing, expected shape [32, 64]");
    mixture.put(name, new Shape(64, 32), values);
    assertRefused(mixture, "tensor " + name, "expected shape [32, 64], found [64, 32]");
  }

  @Test
  void moreExpertsThanTheConfigurationSays() throws IOException {
    mixture.config().put("num_experts", 6);
    assertRefused(
        mixture, "tensor model.layers.0.mlp.gate.weight", "expected shape [6, 64], found [8, 64]");
    String router = "model.layers.%d.mlp.gate.weight";
    for (int layer = 0; layer < LAYERS; layer++) {
      String name = router.formatted(layer);
      mixture.put(name, new Shape(6, 64), mixture.rows(name, 0, 6));
    }
    assertRefused(mixture, "tensor " + ExpertLayouts.name(0, 6, "down_proj"), "unknown");
  }

  @Test
  void aRouterThatHasNoNumbers() throws IOException {
    String name = "model.layers.2.mlp.gate.weight";
    next.values(name)[3 * 64] = Float.NaN;
    assertRefused(next, "tensor " + name, "expected finite numbers, found NaN for expert 3");
  }

  @Test
  void denseLayersWhereTheCheckpointHasExperts() throws IOException {
    next.config().putArray("mlp_only_layers");
    assertRefused(next, "tensor model.layers.1.mlp.gate.weight", "missing, expected shape [8, 64]");
  }
}
