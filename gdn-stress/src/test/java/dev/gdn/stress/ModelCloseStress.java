package dev.gdn.stress;

import dev.gdn.model.LanguageModel;
import dev.gdn.model.Session;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A model is closed while a session decodes: the token is whole (1) or refused with {@link
 * IllegalStateException} (0), all of its numbers are finite, and later ones are refused.
 */
@JCStressTest
@Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "decoded before the model was closed")
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE_INTERESTING, desc = "ended by closing")
@Outcome(expect = Expect.FORBIDDEN, desc = "wrong numbers, or use after close")
@State
public class ModelCloseStress {
  private final LanguageModel model = TinyModel.open();
  private final Session session = model.newSession();

  /** Uses it. */
  @Actor
  public void decoder(II_Result r) {
    r.r1 = decode();
  }

  /** Closes it. */
  @Actor
  public void closer() {
    model.close();
  }

  /** Uses it afterwards. */
  @Arbiter
  public void later(II_Result r) {
    r.r2 = decode();
  }

  private int decode() {
    try {
      for (float logit : session.decode(5)) {
        if (!Float.isFinite(logit)) {
          return -1;
        }
      }
      return 1;
    } catch (IllegalStateException closed) {
      return 0;
    }
  }
}
