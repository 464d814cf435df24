package dev.gdn.model.chat;

import dev.gdn.model.tokenizer.Tokenizer;
import java.util.stream.IntStream;

/**
 * A conversation as a template rendered it, in which special tokens that messages spell out are
 * told from those that the template wrote. Immutable.
 */
public final class ChatPrompt {
  private final Tokenizer tokenizer;
  private final String marked;
  private final SpecialTokenMark mark;

  ChatPrompt(Tokenizer tokenizer, String marked, SpecialTokenMark mark) {
    this.tokenizer = tokenizer;
    this.marked = marked;
    this.mark = mark;
  }

  /** The token ids. */
  public int[] ids() {
    return tokenizer.encodeMarked(marked, mark.character());
  }

  /** Whether it ends within a thought, so that the model's output begins there. */
  public boolean opensThought() {
    return ChatTemplate.opensThought(marked);
  }

  /** This prompt and what the model has made of it. */
  public HeldText followedBy(int... generated) {
    // A model's matrices may be filled up with ids that no token has: those have no text.
    int[] known = IntStream.of(generated).filter(id -> id < tokenizer.vocabularySize()).toArray();
    String text = tokenizer.decode(known);
    boolean steers = IntStream.of(known).anyMatch(tokenizer::isSpecial);
    return new HeldText(marked + (steers ? text : mark.marked(text)));
  }

  /** Whether it goes on, by at least one character, where a text ends. */
  public boolean extendsText(HeldText text) {
    return marked.length() > text.marked.length() && marked.startsWith(text.marked);
  }

  /**
   * The token ids of what follows a text.
   *
   * @param text one that it {@linkplain #extendsText extends}
   */
  public int[] idsAfter(HeldText text) {
    return tokenizer.encodeMarked(marked.substring(text.marked.length()), mark.character());
  }

  /** A text that a session has taken, as later prompts can be compared with it. Immutable. */
  public static final class HeldText {
    private final String marked;

    private HeldText(String marked) {
      this.marked = marked;
    }
  }
}
