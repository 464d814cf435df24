package dev.gdn.stress;

import dev.gdn.core.concurrent.Workers;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Two threads run work on one pool: every part runs once and sees what its caller wrote before, and
 * the caller sees what every part wrote, whichever thread ran it, without a field being volatile.
 */
@JCStressTest
@Outcome(id = "33333, 77777", expect = Expect.ACCEPTABLE, desc = "all parts, once, seen")
@Outcome(expect = Expect.FORBIDDEN, desc = "a part that was lost, ran twice, or saw stale values")
@State
public class PoolOfTwoCallersStress {
  private static final Workers POOL = Workers.of(3);

  private final Call first = new Call();
  private final Call second = new Call();

  /** A call's argument and results, in fields as plain as activations are. */
  private static final class Call {
    private int argument;
    private final int[] results = new int[5];

    int run(int value) {
      argument = value;
      POOL.run(results.length, (part, worker) -> results[part] += argument);
      int digits = 0;
      for (int result : results) {
        digits = 10 * digits + result;
      }
      return digits;
    }
  }

  /** One caller. */
  @Actor
  public void first(II_Result r) {
    r.r1 = first.run(3);
  }

  /** Another. */
  @Actor
  public void second(II_Result r) {
    r.r2 = second.run(7);
  }
}
