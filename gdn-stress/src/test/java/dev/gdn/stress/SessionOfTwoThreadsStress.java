package dev.gdn.stress;

import dev.gdn.model.LanguageModel;
import dev.gdn.model.Session;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * Two threads decode a token in one session: one that is refused (0) leaves no trace, and the
 * session stands after the tokens of those that were not (1).
 */
@JCStressTest
@Outcome(id = "1, 1, 2", expect = Expect.ACCEPTABLE, desc = "one after the other")
@Outcome(id = "1, 0, 1", expect = Expect.ACCEPTABLE_INTERESTING, desc = "the second is refused")
@Outcome(id = "0, 1, 1", expect = Expect.ACCEPTABLE_INTERESTING, desc = "the first is refused")
@Outcome(expect = Expect.FORBIDDEN, desc = "a token that was lost, or one of a refused thread")
@State
public class SessionOfTwoThreadsStress {
  private static final LanguageModel MODEL = TinyModel.open();

  private final Session session = MODEL.newSession();

  /** One thread. */
  @Actor
  public void first(III_Result r) {
    r.r1 = decode(5);
  }

  /** Another. */
  @Actor
  public void second(III_Result r) {
    r.r2 = decode(9);
  }

  /** After both. */
  @Arbiter
  public void position(III_Result r) {
    r.r3 = session.position();
  }

  private int decode(int id) {
    try {
      session.decode(id);
      return 1;
    } catch (IllegalStateException refused) {
      return 0;
    }
  }
}
