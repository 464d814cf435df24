package dev.gdn.stress;

import dev.gdn.core.concurrent.Workers;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Runs of few parts and of many follow each other on one pool: a thread that is late, with what it
 * read of the last run's claims, takes no part of the next run.
 */
@JCStressTest
@Outcome(id = "84, 84", expect = Expect.ACCEPTABLE, desc = "every part of every run, once")
@Outcome(expect = Expect.FORBIDDEN, desc = "a part that was lost or ran twice")
@State
public class PoolOfUnequalRunsStress {
  private static final Workers POOL = Workers.of(3);

  /** One caller. */
  @Actor
  public void first(II_Result r) {
    r.r1 = run(2) + run(40) + run(2) + run(40);
  }

  /** Another, whose runs fall between those. */
  @Actor
  public void second(II_Result r) {
    r.r2 = run(40) + run(2) + run(40) + run(2);
  }

  /** How many parts ran once. */
  private static int run(int parts) {
    int[] times = new int[parts];
    POOL.run(parts, (part, worker) -> times[part]++);
    int once = 0;
    for (int time : times) {
      once += time == 1 ? 1 : 0;
    }
    return once;
  }
}
