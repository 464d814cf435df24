package dev.gdn.model.chat;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The tokens of a conversation, with those that the model generated: these are seldom the ones that
 * their text would be encoded to. Immutable.
 */
public final class SpokenTokens {
  /** None. */
  public static final SpokenTokens NONE = new SpokenTokens(new int[0], List.of());

  private final int[] ids;
  private final List<Integer> turns;

  private SpokenTokens(int[] ids, List<Integer> turns) {
    this.ids = ids;
    this.turns = turns;
  }

  /**
   * Tokens of which nothing else is known.
   *
   * @param whole whether they end with a prompt or an answer, not within one
   */
  public static SpokenTokens of(int[] ids, boolean whole) {
    return new SpokenTokens(ids.clone(), whole ? List.of(ids.length) : List.of());
  }

  /** The tokens of the next turn: a prompt, and what was generated after it. */
  public SpokenTokens next(int[] prompt, int[] generated) {
    int mismatch = Arrays.mismatch(ids, prompt);
    int common = mismatch < 0 ? ids.length : mismatch;
    int[] all = IntStream.concat(IntStream.of(prompt), IntStream.of(generated)).toArray();
    return new SpokenTokens(
        all,
        Stream.concat(
                turns.stream().filter(end -> end <= common),
                Stream.of(prompt.length, all.length).distinct())
            .distinct()
            .toList());
  }

  int[] ids() {
    return ids;
  }

  /** Where prompts and answers end, ascending: a text may go on there in other tokens. */
  List<Integer> turns() {
    return turns;
  }
}
