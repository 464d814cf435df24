package dev.gdn.stress;

import dev.gdn.core.concurrent.Workers;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A part that throws fails its own caller, and no run of another on the same pool. */
@JCStressTest
@Outcome(id = "-4, 1111", expect = Expect.ACCEPTABLE, desc = "one fails, the other does not")
@Outcome(expect = Expect.FORBIDDEN, desc = "a failure that was lost or went astray")
@State
public class PoolFailureStress {
  private static final Workers POOL = Workers.of(3);

  private final int[] results = new int[4];

  /** A caller whose last part throws. */
  @Actor
  public void failing(II_Result r) {
    try {
      POOL.run(
          4,
          (part, worker) -> {
            if (part == 3) {
              throw new IllegalStateException("part 3");
            }
          });
    } catch (IllegalStateException e) {
      r.r1 = -4;
    }
  }

  /** One whose parts do not. */
  @Actor
  public void working(II_Result r) {
    POOL.run(results.length, (part, worker) -> results[part]++);
    r.r2 = 1000 * results[0] + 100 * results[1] + 10 * results[2] + results[3];
  }
}
