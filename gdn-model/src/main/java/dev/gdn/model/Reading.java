package dev.gdn.model;

/**
 * What {@link Session#read} did.
 *
 * @param logits that follow the prompt: one for each vocabulary entry, valid until the next call
 * @param reused tokens that did not have to be read
 * @param read tokens that were
 */
public record Reading(float[] logits, int reused, int read) {}
