package dev.gdn.model.checkpoint;

import dev.gdn.model.config.Architecture;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What the hub checkpoints of families store or name differently. */
enum HubLayout {
  QWEN(true),
  OLMO_HYBRID(
      false,
      Rename.of(".linear_attn.norm.", ".linear_attn.o_norm."),
      Rename.of(".linear_attn.out_proj.", ".linear_attn.o_proj."),
      Rename.of(".linear_attn.in_proj_z.", ".linear_attn.g_proj."),
      Rename.of(".linear_attn.in_proj_b.", ".linear_attn.b_proj."),
      Rename.of(".linear_attn.in_proj_a.", ".linear_attn.a_proj."),
      Rename.of(".input_layernorm.", ".attention_layer_norm."),
      Rename.of(".post_attention_layernorm.", ".feedforward_layer_norm.")),
  KIMI_LINEAR(
      false,
      Rename.of(".linear_attn.norm.", ".linear_attn.o_norm."),
      Rename.of(".linear_attn.out_proj.", ".linear_attn.o_proj."),
      Rename.of(".linear_attn.in_proj_b.", ".linear_attn.b_proj."),
      Rename.of(".linear_attn.", ".self_attn."),
      Rename.of(".mlp.shared_expert.", ".mlp.shared_experts."),
      Rename.ofExpert("gate_proj", "w1"),
      Rename.ofExpert("up_proj", "w3"),
      Rename.ofExpert("down_proj", "w2"),
      Rename.of(".mlp.", ".block_sparse_moe."));

  /** Part of a name as {@link WeightSource} has it, and as the checkpoint has it. */
  private record Rename(Pattern part, String stored) {
    static Rename of(String part, String stored) {
      return new Rename(Pattern.compile(Pattern.quote(part)), stored);
    }

    static Rename ofExpert(String matrix, String stored) {
      String part = "\\.experts\\.(\\d+)\\." + matrix + "\\.";
      return new Rename(Pattern.compile(part), ".experts.$1." + stored + ".");
    }
  }

  private final boolean zeroCentredNorms;
  private final List<Rename> renames;

  HubLayout(boolean zeroCentredNorms, Rename... renames) {
    this.zeroCentredNorms = zeroCentredNorms;
    this.renames = List.of(renames);
  }

  static HubLayout of(Architecture architecture) {
    return switch (architecture) {
      case QWEN3_5, QWEN3_5_MOE, QWEN3_NEXT, QWEN4_EXP -> QWEN;
      case OLMO_HYBRID -> OLMO_HYBRID;
      case KIMI_LINEAR -> KIMI_LINEAR;
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
      renamed = rename.part.matcher(renamed).replaceAll(rename.stored);
    }
    return Stream.of(renamed, name).distinct().toList();
  }
}
