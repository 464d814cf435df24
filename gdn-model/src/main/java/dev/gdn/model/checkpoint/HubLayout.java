package dev.gdn.model.checkpoint;

import dev.gdn.model.config.Architecture;
import java.util.List;
import java.util.stream.Stream;

/** What the hub checkpoints of families store or name differently. */
enum HubLayout {
  QWEN(true),
  OLMO_HYBRID(
      false,
      new Rename(".linear_attn.norm.", ".linear_attn.o_norm."),
      new Rename(".linear_attn.out_proj.", ".linear_attn.o_proj."),
      new Rename(".linear_attn.in_proj_z.", ".linear_attn.g_proj."),
      new Rename(".linear_attn.in_proj_b.", ".linear_attn.b_proj."),
      new Rename(".linear_attn.in_proj_a.", ".linear_attn.a_proj."),
      new Rename(".input_layernorm.", ".attention_layer_norm."),
      new Rename(".post_attention_layernorm.", ".feedforward_layer_norm."));

  /** Part of a name as {@link WeightSource} has it, and as the checkpoint has it. */
  private record Rename(String part, String stored) {}

  private final boolean zeroCentredNorms;
  private final List<Rename> renames;

  HubLayout(boolean zeroCentredNorms, Rename... renames) {
    this.zeroCentredNorms = zeroCentredNorms;
    this.renames = List.of(renames);
  }

  static HubLayout of(Architecture architecture) {
    return switch (architecture) {
      case QWEN3_5, QWEN3_5_MOE, QWEN3_NEXT -> QWEN;
      case OLMO_HYBRID -> OLMO_HYBRID;
    };
  }

  /** Whether the weights of RMSNorm are stored minus one. */
  boolean zeroCentredNorms() {
    return zeroCentredNorms;
  }

  /** What a tensor may be called in a checkpoint, the usual name first. */
  List<String> stored(String name) {
    String renamed = name;
    for (Rename rename : renames) {
      renamed = renamed.replace(rename.part, rename.stored);
    }
    return Stream.of(renamed, name).distinct().toList();
  }
}
