package dev.gdn.model.generation;

/** Told of each generated token as it comes, on the generating thread. */
@FunctionalInterface
public interface TokenListener {
  /**
   * Takes a token.
   *
   * @param id the token
   * @param text the characters it completes; empty while a character is unfinished. Whatever is
   *     left at the end comes with the last token's id
   */
  void onToken(int id, String text);
}
