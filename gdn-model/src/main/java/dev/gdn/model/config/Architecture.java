package dev.gdn.model.config;

/** The families of models this library runs. */
public enum Architecture {
  /** Qwen3.5, dense feed-forward; the text part of a multimodal checkpoint too. */
  QWEN3_5
}
