package dev.gdn.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class ShortRunsTest {
  @Test
  void whatIsTooShortIsNamedInOneLine() {
    ShortRuns.Timed prompt = new ShortRuns.Timed("the prompt", 0.00012);
    ShortRuns.Timed tokens = new ShortRuns.Timed("the tokens", 0.00499);
    ShortRuns.Timed enough = new ShortRuns.Timed("all", 0.005);
    assertEquals(
        Optional.of(
            "runs are too short for figures that hold: expected at least 5.00 ms,"
                + " found 0.12 ms for the prompt, 4.99 ms for the tokens; see -n"),
        ShortRuns.note(0.005, "see -n", prompt, enough, tokens));
    assertEquals(Optional.empty(), ShortRuns.note(0.005, "see -n", enough));
  }
}
