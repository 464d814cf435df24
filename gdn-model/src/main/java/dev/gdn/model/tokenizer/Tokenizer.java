package dev.gdn.model.tokenizer;

import dev.gdn.model.error.CheckpointException;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Text to token ids and back, by byte-level byte-pair encoding. The ids are those of the reference,
 * Hugging Face's tokenizers. Immutable and thread-safe.
 */
public final class Tokenizer {
  private static final int MAXIMUM_ID = (1 << 22) - 1;

  private final String[] tokens; // by id, null where no token has the id
  private final byte[][] bytes; // by id, empty where no token has the id
  private final Map<String, Integer> ids; // of the tokens that merges make
  private final Map<String, Integer> addedIds;
  private final BitSet added;
  private final BitSet special;
  private final AddedTokens rawTokens;
  private final AddedTokens normalizedTokens;
  private final SplitPattern pattern;
  private final MergeTable merges;
  private final int[] byteIds;
  private final boolean composes;
  private final boolean wholePiecesFirst;

  private Tokenizer(BpeVocabulary vocabulary) {
    ids = vocabulary.tokens();
    composes = vocabulary.composes();
    wholePiecesFirst = vocabulary.wholePiecesFirst();
    tokens = new String[size(vocabulary)];
    ids.forEach(this::place);
    byteIds = byteIds(ids);
    merges = MergeTable.of(vocabulary.merges(), ids, tokens.length);
    bytes = new byte[tokens.length][];
    for (int id = 0; id < tokens.length; id++) {
      bytes[id] = tokens[id] == null ? new byte[0] : ByteAlphabet.bytes(tokens[id]);
    }
    addedIds = new HashMap<>();
    added = new BitSet();
    special = new BitSet();
    List<AddedToken> raw = new ArrayList<>();
    List<AddedToken> normalized = new ArrayList<>();
    for (AddedToken token : vocabulary.addedTokens()) {
      add(token);
      if (token.normalized()) {
        normalized.add(new AddedToken(token.id(), normalize(token.text()), token.special(), true));
      } else {
        raw.add(token);
      }
    }
    rawTokens = new AddedTokens(raw);
    normalizedTokens = new AddedTokens(normalized);
    pattern = SplitPattern.of(vocabulary.splitPattern());
  }

  /**
   * Reads a {@code tokenizer.json}.
   *
   * @throws CheckpointException if it cannot be read, contradicts itself, or asks for something
   *     that would give other ids than this class computes
   */
  public static Tokenizer read(Path tokenizerJson) {
    BpeVocabulary vocabulary = TokenizerJson.read(tokenizerJson);
    try {
      return of(vocabulary);
    } catch (IllegalArgumentException e) {
      throw new CheckpointException(tokenizerJson, "tokenizer", e.getMessage(), e);
    }
  }

  /**
   * A tokenizer of a vocabulary that was read elsewhere.
   *
   * @throws IllegalArgumentException if the parts of the vocabulary contradict each other; the
   *     message says which
   */
  public static Tokenizer of(BpeVocabulary vocabulary) {
    return new Tokenizer(vocabulary);
  }

  /** The ids of a text, all of it taken as plain text: {@code encode(text, false)}. */
  public int[] encode(String text) {
    return encode(text, false);
  }

  /**
   * The ids of a text; none of an empty one. An unpaired surrogate is encoded as a question mark.
   *
   * @param parseSpecial whether added tokens that the text spells out, such as {@code <|im_end|>},
   *     become those tokens, as in the reference; else they are plain text, so that what a user
   *     writes cannot steer the model
   */
  public int[] encode(String text, boolean parseSpecial) {
    Objects.requireNonNull(text, "text");
    if (parseSpecial) {
      return encode(text, UnaryOperator.identity());
    }
    Ids out = new Ids();
    encodePlain(normalize(text), new BytePairEncoder(byteIds, merges), out);
    return out.toArray();
  }

  /**
   * The ids of a text some of whose parts were written by others: added tokens that it spells out
   * become those tokens, except where a mark stands within their spelling. The marks themselves are
   * dropped, so that such a part is encoded as the plain text that it was.
   *
   * @param mark a character that stands in the text as a mark alone
   */
  public int[] encodeMarked(String text, char mark) {
    Objects.requireNonNull(text, "text");
    return encode(text, part -> part.replace(String.valueOf(mark), ""));
  }

  /**
   * Cuts a text at the {@linkplain #isSpecial special} tokens that it spells out: what stands
   * before, between and behind them, and these. The ids of the parts, one after another, are those
   * of the text.
   *
   * @param text as {@link #encodeMarked} takes it
   */
  public List<TextPart> cutAtSpecialTokens(String text) {
    List<TextPart> parts = new ArrayList<>();
    StringBuilder spoken = new StringBuilder();
    rawTokens.split(
        text,
        spoken::append,
        id -> {
          if (special.get(id)) {
            addSpoken(spoken, parts);
            parts.add(new TextPart(tokens[id], OptionalInt.of(id)));
          } else {
            spoken.append(tokens[id]);
          }
        });
    addSpoken(spoken, parts);
    return parts;
  }

  private static void addSpoken(StringBuilder spoken, List<TextPart> parts) {
    if (!spoken.isEmpty()) {
      parts.add(new TextPart(spoken.toString(), OptionalInt.empty()));
      spoken.setLength(0);
    }
  }

  /** Encodes with added tokens; what stands between them is changed before it is encoded. */
  private int[] encode(String text, UnaryOperator<String> betweenTokens) {
    Ids out = new Ids();
    BytePairEncoder encoder = new BytePairEncoder(byteIds, merges);
    rawTokens.split(
        text,
        plain ->
            normalizedTokens.split(
                normalize(plain),
                part -> encodePlain(betweenTokens.apply(part), encoder, out),
                out::add),
        out::add);
    return out.toArray();
  }

  /**
   * The text of ids, added tokens as they are spelt. Bytes that are no UTF-8 become U+FFFD.
   *
   * @throws IllegalArgumentException if an id is outside the vocabulary
   */
  public String decode(int... ids) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int id : ids) {
      out.writeBytes(bytes[check(id)]);
    }
    byte[] all = out.toByteArray();
    Utf8.spoilSurrogates(all, all.length);
    return new String(all, StandardCharsets.UTF_8);
  }

  /**
   * The text of ids without the tokens that steer the model; else as {@link #decode}.
   *
   * @throws IllegalArgumentException if an id is outside the vocabulary
   */
  public String decodeSpoken(int... ids) {
    return decode(IntStream.of(ids).filter(id -> !isSpecial(id)).toArray());
  }

  /** The largest id plus one. */
  public int vocabularySize() {
    return tokens.length;
  }

  /** The id of an added token, such as {@code <|im_end|>} or {@code <think>}, if there is one. */
  public OptionalInt specialId(String token) {
    Integer id = addedIds.get(token);
    return id == null ? OptionalInt.empty() : OptionalInt.of(id);
  }

  /** How the tokens are spelt that steer the model, such as {@code <|im_end|>}. */
  public Set<String> specialTokens() {
    return addedIds.entrySet().stream()
        .filter(token -> special.get(token.getValue()))
        .map(Map.Entry::getKey)
        .collect(Collectors.toUnmodifiableSet());
  }

  /**
   * A token as the vocabulary spells it (a space is {@code Ġ}); empty if no token has the id.
   *
   * @throws IllegalArgumentException if the id is outside the vocabulary
   */
  public Optional<String> token(int id) {
    return Optional.ofNullable(tokens[check(id)]);
  }

  /**
   * Whether a token steers the model instead of being part of what it says.
   *
   * @throws IllegalArgumentException if the id is outside the vocabulary
   */
  public boolean isSpecial(int id) {
    return special.get(check(id));
  }

  /**
   * Whether a token is an added one, such as {@code <|im_end|>} or {@code <think>}, not one that
   * merges make.
   *
   * @throws IllegalArgumentException if the id is outside the vocabulary
   */
  public boolean isAdded(int id) {
    return added.get(check(id));
  }

  /**
   * The bytes that a token stands for, often a part of a UTF-8 character; none if no token has the
   * id.
   *
   * @throws IllegalArgumentException if the id is outside the vocabulary
   */
  public byte[] bytes(int id) {
    return bytes[check(id)].clone();
  }

  private String normalize(String text) {
    return composes ? Composition.normalize(text) : text;
  }

  private void encodePlain(String text, BytePairEncoder encoder, Ids out) {
    pattern.split(
        text,
        piece -> {
          byte[] utf8 = piece.getBytes(StandardCharsets.UTF_8);
          Integer whole = wholePiecesFirst ? ids.get(ByteAlphabet.spell(utf8)) : null;
          if (whole != null) {
            out.add(whole);
          } else {
            encoder.encode(utf8, out);
          }
        });
  }

  private int check(int id) {
    if (id < 0 || id >= tokens.length) {
      throw new IllegalArgumentException(
          "token id %d is outside the vocabulary, 0 to %d".formatted(id, tokens.length - 1));
    }
    return id;
  }

  private static int size(BpeVocabulary vocabulary) {
    int largest = -1;
    for (Map.Entry<String, Integer> entry : vocabulary.tokens().entrySet()) {
      largest = Math.max(largest, checkId(entry.getKey(), entry.getValue()));
    }
    for (AddedToken token : vocabulary.addedTokens()) {
      largest = Math.max(largest, checkId(token.text(), token.id()));
    }
    return largest + 1;
  }

  private static int checkId(String token, int id) {
    if (id < 0 || id > MAXIMUM_ID) {
      throw new IllegalArgumentException(
          "token \"%s\": expected an id from 0 to %d, found %d".formatted(token, MAXIMUM_ID, id));
    }
    return id;
  }

  private void place(String token, int id) {
    if (tokens[id] != null && !tokens[id].equals(token)) {
      throw new IllegalArgumentException(
          "tokens \"%s\" and \"%s\" have the same id, %d".formatted(tokens[id], token, id));
    }
    tokens[id] = token;
  }

  private void add(AddedToken token) {
    if (token.text().isEmpty()) {
      throw new IllegalArgumentException("added token %d: its text is empty".formatted(token.id()));
    }
    Integer other = ids.get(token.text());
    if (other == null) {
      other = addedIds.get(token.text());
    }
    if (other != null && other != token.id()) {
      throw new IllegalArgumentException(
          "token \"%s\" has two ids, %d and %d".formatted(token.text(), other, token.id()));
    }
    place(token.text(), token.id());
    addedIds.put(token.text(), token.id());
    bytes[token.id()] = token.text().getBytes(StandardCharsets.UTF_8);
    added.set(token.id());
    special.set(token.id(), token.special());
  }

  private static int[] byteIds(Map<String, Integer> ids) {
    int[] byteIds = new int[256];
    for (int value = 0; value < byteIds.length; value++) {
      String token = ByteAlphabet.spell(new byte[] {(byte) value});
      Integer id = ids.get(token);
      if (id == null) {
        throw new IllegalArgumentException(
            "no token for byte 0x%02x, \"%s\"".formatted(value, token));
      }
      byteIds[value] = id;
    }
    return byteIds;
  }
}
