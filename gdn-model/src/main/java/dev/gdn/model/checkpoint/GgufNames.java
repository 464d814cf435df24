package dev.gdn.model.checkpoint;

import java.util.List;
import java.util.Map;

/** What llama.cpp calls the tensors of hub checkpoints; some have had several names. */
public final class GgufNames {
  static final String EMBEDDING = "token_embd.weight";
  static final String HEAD = "output.weight";

  private static final Map<String, List<String>> MODEL =
      Map.of(
          "embed_tokens.weight", List.of(EMBEDDING),
          "norm.weight", List.of("output_norm.weight"),
          "lm_head.weight", List.of(HEAD));

  private static final Map<String, List<String>> LAYER =
      Map.ofEntries(
          Map.entry("input_layernorm.weight", List.of("attn_norm.weight")),
          Map.entry(
              "post_attention_layernorm.weight",
              List.of("post_attention_norm.weight", "ffn_norm.weight")),
          Map.entry("linear_attn.in_proj_qkvz.weight", List.of("ssm_in.weight")),
          Map.entry("linear_attn.in_proj_ba.weight", List.of("ssm_ba.weight")),
          Map.entry("linear_attn.in_proj_qkv.weight", List.of("attn_qkv.weight")),
          Map.entry("linear_attn.in_proj_z.weight", List.of("attn_gate.weight")),
          Map.entry("linear_attn.in_proj_a.weight", List.of("ssm_alpha.weight")),
          Map.entry("linear_attn.in_proj_b.weight", List.of("ssm_beta.weight")),
          Map.entry("linear_attn.conv1d.weight", List.of("ssm_conv1d.weight")),
          Map.entry("linear_attn.decay_rate", List.of("ssm_a", "ssm_a.weight")),
          Map.entry("linear_attn.dt_bias", List.of("ssm_dt.bias", "ssm_dt")),
          Map.entry("linear_attn.norm.weight", List.of("ssm_norm.weight")),
          Map.entry("linear_attn.out_proj.weight", List.of("ssm_out.weight")),
          Map.entry("self_attn.q_proj.weight", List.of("attn_q.weight")),
          Map.entry("self_attn.k_proj.weight", List.of("attn_k.weight")),
          Map.entry("self_attn.v_proj.weight", List.of("attn_v.weight")),
          Map.entry("self_attn.o_proj.weight", List.of("attn_output.weight")),
          Map.entry("self_attn.q_norm.weight", List.of("attn_q_norm.weight")),
          Map.entry("self_attn.k_norm.weight", List.of("attn_k_norm.weight")),
          Map.entry("mlp.gate.weight", List.of("ffn_gate_inp.weight")),
          Map.entry("mlp.experts.gate_proj", List.of("ffn_gate_exps.weight")),
          Map.entry("mlp.experts.up_proj", List.of("ffn_up_exps.weight")),
          Map.entry("mlp.experts.gate_up_proj", List.of("ffn_gate_up_exps.weight")),
          Map.entry("mlp.experts.down_proj", List.of("ffn_down_exps.weight")),
          Map.entry("mlp.shared_expert_gate.weight", List.of("ffn_gate_inp_shexp.weight")),
          Map.entry("mlp.shared_expert.gate_proj.weight", List.of("ffn_gate_shexp.weight")),
          Map.entry("mlp.shared_expert.up_proj.weight", List.of("ffn_up_shexp.weight")),
          Map.entry("mlp.shared_expert.down_proj.weight", List.of("ffn_down_shexp.weight")),
          Map.entry("mlp.gate_proj.weight", List.of("ffn_gate.weight")),
          Map.entry("mlp.up_proj.weight", List.of("ffn_up.weight")),
          Map.entry("mlp.down_proj.weight", List.of("ffn_down.weight")));

  private static final String EXPERTS = "mlp.experts.";

  private GgufNames() {}

  /**
   * The names that a tensor may have, the usual one first; none for a tensor GGUF does not know.
   *
   * @param hubName as in {@link WeightSource}; {@code linear_attn.decay_rate} is −exp(A_log)
   */
  public static List<String> of(String hubName) {
    if (!hubName.startsWith("layers.")) {
      return MODEL.getOrDefault(hubName, List.of());
    }
    int from = "layers.".length();
    int dot = hubName.indexOf('.', from);
    String prefix = "blk." + hubName.substring(from, dot) + ".";
    String inLayer = hubName.substring(dot + 1);
    List<String> names = LAYER.getOrDefault(inLayer, List.of());
    return (names.isEmpty() ? ofExpert(inLayer) : names).stream().map(prefix::concat).toList();
  }

  /** One expert's matrix, {@code mlp.experts.7.up_proj.weight}, is {@code ffn_up.7.weight}. */
  private static List<String> ofExpert(String inLayer) {
    int dot = inLayer.indexOf('.', EXPERTS.length());
    if (!inLayer.startsWith(EXPERTS) || dot < 0) {
      return List.of();
    }
    String number = inLayer.substring(EXPERTS.length(), dot);
    return LAYER.getOrDefault("mlp." + inLayer.substring(dot + 1), List.of()).stream()
        .map(name -> name.replace(".weight", "." + number + ".weight"))
        .toList();
  }
}
