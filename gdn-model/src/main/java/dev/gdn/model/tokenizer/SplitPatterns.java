package dev.gdn.model.tokenizer;

/** The split patterns of published vocabularies. */
public final class SplitPatterns {
  /** Qwen2, Qwen2.5, Qwen3 and Qwen3-Next. */
  public static final String QWEN2 =
      "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}"
          + "| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";

  /** Qwen3.5: marks are parts of words. */
  public static final String QWEN3_5 =
      "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?[\\p{L}\\p{M}]+|\\p{N}"
          + "| ?[^\\s\\p{L}\\p{M}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";

  private SplitPatterns() {}
}
