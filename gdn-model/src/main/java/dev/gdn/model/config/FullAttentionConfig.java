package dev.gdn.model.config;

/** The softmax attention of the full-attention layers. */
public sealed interface FullAttentionConfig permits AttentionConfig, LatentAttentionConfig {}
