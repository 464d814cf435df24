package dev.gdn.model.chat;

import dev.gdn.model.template.Rendering;
import dev.gdn.model.tokenizer.Tokenizer;
import java.util.Set;

/**
 * A conversation as a template rendered it, in which special tokens that messages spell out are
 * told from those that the template wrote. Immutable.
 */
public final class ChatPrompt {
  private final Tokenizer tokenizer;
  private final Rendering marked;
  private final SpecialTokenMark mark;

  ChatPrompt(Tokenizer tokenizer, Rendering marked, SpecialTokenMark mark) {
    this.tokenizer = tokenizer;
    this.marked = marked;
    this.mark = mark;
  }

  /** Whether it ends within a thought, so that the model's output begins there. */
  public boolean opensThought() {
    return ChatTemplate.opensThought(marked.text());
  }

  /** The prompt in tokens. */
  public EncodedPrompt encode() {
    return encodeAfter(SpokenTokens.NONE);
  }

  /**
   * The prompt in tokens, which are those of an earlier turn as far as that has the same text, so
   * that a session need not read it again.
   */
  public EncodedPrompt encodeAfter(SpokenTokens spoken) {
    return new PromptEncoder(tokenizer, mark.character(), spoken)
        .encode(marked.text(), Set.copyOf(marked.borders()));
  }
}
