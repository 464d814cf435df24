package dev.gdn.model.tokenizer;

import java.util.OptionalInt;

/**
 * A part of a text, not empty.
 *
 * @param special the id of the special token that it is, all of it; empty for other text
 */
public record TextPart(String text, OptionalInt special) {}
