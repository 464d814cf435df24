package dev.gdn.model.generation;

import java.util.Optional;

/** What a generation hands over as it goes: its tokens, and at the end the result. */
public sealed interface GenerationEvent {
  /**
   * The text that is certain now; often empty, never half a character. All of a generation's, one
   * after another, are the {@linkplain GenerationResult#text() text of its result}.
   */
  String text();

  /**
   * A token.
   *
   * @param id the token
   * @param text what it makes certain: text that may turn out to be a stop string comes with a
   *     later event
   * @param logProbabilities at its place, if asked for
   */
  record Token(int id, String text, Optional<LogProbabilities> logProbabilities)
      implements GenerationEvent {}

  /**
   * The end.
   *
   * @param text what was held back until here
   * @param result of the whole generation
   */
  record Finished(String text, GenerationResult result) implements GenerationEvent {}
}
