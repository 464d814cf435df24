package dev.gdn.model;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Two threads enter a session: one at a time is in, and sees what the other did in there. A thread
 * that is refused counts as 0, else its result is how often anyone was in.
 */
@JCStressTest
@Outcome(id = "1, 2", expect = Expect.ACCEPTABLE, desc = "one after the other")
@Outcome(id = "2, 1", expect = Expect.ACCEPTABLE, desc = "one after the other")
@Outcome(id = "1, 0", expect = Expect.ACCEPTABLE_INTERESTING, desc = "the second is refused")
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE_INTERESTING, desc = "the first is refused")
@Outcome(expect = Expect.FORBIDDEN, desc = "both in at once, both refused, or a stale value")
@State
public class SoleUserStress {
  private final SoleUser user = new SoleUser();
  private int visits;

  /** One thread. */
  @Actor
  public void first(II_Result r) {
    r.r1 = visit();
  }

  /** Another. */
  @Actor
  public void second(II_Result r) {
    r.r2 = visit();
  }

  private int visit() {
    try (SoleUser.Stay stay = user.enter()) {
      return stay == null ? -1 : ++visits;
    } catch (IllegalStateException refused) {
      return 0;
    }
  }
}
