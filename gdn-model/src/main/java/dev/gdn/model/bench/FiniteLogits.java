package dev.gdn.model.bench;

import dev.gdn.model.Session;
import dev.gdn.model.error.NonFiniteLogitsException;

/**
 * The speed of a model whose results are no numbers is not worth telling, and not that of others.
 */
final class FiniteLogits {
  private FiniteLogits() {}

  /** Checks what follows the last token of a session. */
  static void check(Session session, float[] logits) {
    NonFiniteLogitsException.check(session.position() - 1, logits, 0, logits.length);
  }
}
