package dev.gdn.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.gdn.model.generation.FinishReason;
import dev.gdn.model.generation.GenerationResult;
import dev.gdn.model.generation.Timings;
import dev.gdn.model.generation.TokenCounts;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StatisticsTest {
  /** A model computes once for each token behind the first one, and once for an end token. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "MAX_TOKENS   | 10 | , then 9 more tokens in 0.50 s, 18.0/s; the limit of --max-tokens",
        "MAX_TOKENS   |  2 | , then 1 more token in 0.50 s, 2.0/s; the limit of --max-tokens",
        "MAX_TOKENS   |  1 | ; the limit of --max-tokens",
        "STOP_TOKEN   |  9 | , then 9 more tokens with the end token in 0.50 s, 18.0/s; the text is"
            + " complete",
        "STOP_TOKEN   |  1 | , then 1 more token with the end token in 0.50 s, 2.0/s; the text is"
            + " complete",
        "STOP_TOKEN   |  0 | ; the text is complete",
        "CANCELLED    |  0 | ; cancelled"
      })
  void tokensBehindThePromptAreThoseThatTookTheTime(
      FinishReason reason, int generated, String rest) {
    GenerationResult result =
        new GenerationResult(
            "",
            Collections.nCopies(generated, 5),
            reason,
            Optional.empty(),
            new TokenCounts(8, 0, generated, 0),
            new Timings(Duration.ofMillis(100), Duration.ofMillis(500)),
            List.of());
    assertEquals("[prompt 8 tokens in 0.10 s, 80.0/s" + rest + "]", Statistics.line(result));
  }
}
