package dev.gdn.model.config;

/** The families of models this library runs. */
public enum Architecture {
  /** Qwen3.5, dense feed-forward; the text part of a multimodal checkpoint too. */
  QWEN3_5,
  /** Qwen3.5 with a mixture of experts in every layer. */
  QWEN3_5_MOE,
  /** Qwen3-Next: a mixture of experts in most layers. */
  QWEN3_NEXT,
  /** Olmo-Hybrid: betas up to 2, and norms after the blocks of attention layers. */
  OLMO_HYBRID,
  /** Kimi Linear: Kimi Delta Attention, latent attention, a mixture of experts in most layers. */
  KIMI_LINEAR,
  /**
   * Qwen3.8-Flash-Next: several residual streams, attention to chosen blocks, an embedding of
   * n-grams.
   */
  QWEN4_EXP
}
