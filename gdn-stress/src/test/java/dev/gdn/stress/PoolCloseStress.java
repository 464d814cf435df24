package dev.gdn.stress;

import dev.gdn.core.concurrent.Workers;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A pool that is closed during a run: the run is finished all the same, and so are later ones. */
@JCStressTest
@Outcome(id = "1111, 2222", expect = Expect.ACCEPTABLE, desc = "both runs are whole")
@Outcome(expect = Expect.FORBIDDEN, desc = "a part that was lost or ran twice")
@State
public class PoolCloseStress {
  private final Workers pool = Workers.of(2);
  private final int[] results = new int[4];

  /** Runs twice. */
  @Actor
  public void caller(II_Result r) {
    r.r1 = run();
    r.r2 = run();
  }

  /** Closes, and leaves no thread behind. */
  @Actor
  public void closer() {
    pool.close();
  }

  private int run() {
    pool.run(results.length, (part, worker) -> results[part]++);
    return 1000 * results[0] + 100 * results[1] + 10 * results[2] + results[3];
  }
}
