package dev.gdn.model.tokenizer;

import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What a byte-level byte-pair encoding is made of, whichever file it came from. {@link
 * Tokenizer#of} checks that the parts agree.
 *
 * @param tokens ids by token, spelt in the byte alphabet of GPT-2 (a space is {@code Ġ}); every
 *     single byte is among them
 * @param merges in order of rank
 * @param addedTokens tokens looked for in the text itself; they may stand among {@code tokens} too
 * @param splitPattern the regular expression, in the syntax of Oniguruma, whose matches, and the
 *     gaps between them, are encoded each on its own
 * @param composes whether text is brought to Unicode normalisation form C first
 * @param wholePiecesFirst whether a piece that is itself a token is that token, whatever the merges
 *     would make of it ({@code ignore_merges})
 */
public record BpeVocabulary(
    Map<String, Integer> tokens,
    List<Merge> merges,
    List<AddedToken> addedTokens,
    String splitPattern,
    boolean composes,
    boolean wholePiecesFirst) {
  public BpeVocabulary {
    // Not Map.copyOf: its linear probing crawls on a hundred thousand short strings.
    tokens = Collections.unmodifiableMap(new HashMap<>(tokens));
    merges = List.copyOf(merges);
    addedTokens = List.copyOf(addedTokens);
    Objects.requireNonNull(splitPattern, "splitPattern");
  }
}
