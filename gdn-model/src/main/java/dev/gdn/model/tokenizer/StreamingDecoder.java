package dev.gdn.model.tokenizer;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * Turns ids into text as they come. A character whose bytes are spread over tokens appears with the
 * token that completes it; all that was returned, put together, is {@link Tokenizer#decode} of all
 * ids. One stream per decoder, one thread at a time.
 */
public final class StreamingDecoder {
  private final Tokenizer tokenizer;
  private final CharsetDecoder decoder =
      StandardCharsets.UTF_8
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPLACE)
          .onUnmappableCharacter(CodingErrorAction.REPLACE);
  private byte[] unfinished = new byte[0];

  /** A decoder at the beginning of a text. */
  public StreamingDecoder(Tokenizer tokenizer) {
    this.tokenizer = Objects.requireNonNull(tokenizer, "tokenizer");
  }

  /**
   * The text that this id completes; empty while a character lacks bytes.
   *
   * @throws IllegalArgumentException if the id is outside the vocabulary
   */
  public String accept(int id) {
    byte[] added = tokenizer.bytes(id);
    byte[] bytes = new byte[unfinished.length + added.length];
    System.arraycopy(unfinished, 0, bytes, 0, unfinished.length);
    System.arraycopy(added, 0, bytes, unfinished.length, added.length);
    return decode(bytes, false);
  }

  /** The end of the text: U+FFFD for a character that never got all its bytes, else nothing. */
  public String finish() {
    String text = decode(unfinished, true);
    decoder.reset();
    return text;
  }

  private String decode(byte[] bytes, boolean end) {
    Utf8.spoilSurrogates(bytes, bytes.length);
    ByteBuffer in = ByteBuffer.wrap(bytes);
    CharBuffer out = CharBuffer.allocate(bytes.length); // UTF-8 has no fewer bytes than characters
    decoder.reset().decode(in, out, end);
    unfinished = new byte[in.remaining()];
    in.get(unfinished);
    return out.flip().toString();
  }
}
