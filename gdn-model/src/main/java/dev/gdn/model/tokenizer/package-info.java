/**
 * Text to token ids and back: the byte-level byte-pair encoding of the Qwen family, with exactly
 * the ids of the reference. Programs that embed the library call {@link
 * dev.gdn.model.tokenizer.Tokenizer} and {@link dev.gdn.model.tokenizer.StreamingDecoder}; readers
 * of checkpoint formats fill a {@link dev.gdn.model.tokenizer.BpeVocabulary}.
 */
package dev.gdn.model.tokenizer;
