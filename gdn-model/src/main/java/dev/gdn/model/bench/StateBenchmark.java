package dev.gdn.model.bench;

import dev.gdn.model.LanguageModel;
import dev.gdn.model.ModelOptions;
import dev.gdn.model.Session;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.ToDoubleFunction;

/**
 * Measures what a session's state is worth: how long a conversation's next turn takes when only its
 * own tokens are read, against reading all of it again, and how long forks take.
 *
 * @param promptTokens of the conversation so far, at least 1
 * @param newTokens of the next turn, at least 1
 * @param repetitions at least 1
 */
public record StateBenchmark(int promptTokens, int newTokens, int repetitions) {
  /**
   * @throws IllegalArgumentException if a number is out of range
   */
  public StateBenchmark {
    Ranges.check("prompt tokens", promptTokens, 1, 1 << 20);
    Ranges.check("new tokens", newTokens, 1, 1 << 20);
    Ranges.check("repetitions", repetitions, 1, 1000);
  }

  /**
   * What was measured.
   *
   * @param turnSeconds to take the next turn where the conversation stands
   * @param againSeconds to take the conversation and the turn from the start
   * @param forkSeconds to fork the conversation, each
   */
  public record Result(Statistics turnSeconds, Statistics againSeconds, Statistics forkSeconds) {}

  private record Run(double turn, double again, double fork) {}

  /**
   * Opens and measures a checkpoint.
   *
   * @param onRun told the number of each run that ends, from 0, which is not counted, to {@code
   *     repetitions}
   * @throws dev.gdn.model.error.CheckpointException if it cannot be used
   * @throws dev.gdn.model.error.ContextFullException if the tokens do not fit the context
   * @throws dev.gdn.model.error.NonFiniteLogitsException if the model computes what is no number
   */
  public Result measure(Path checkpoint, ModelOptions options, IntConsumer onRun) {
    // Nothing is to be found that an earlier run has read.
    ModelOptions fresh = options.withSnapshotBytes(0);
    try (LanguageModel model = LanguageModel.open(checkpoint, fresh)) {
      int[] all = BenchmarkIds.of(0, promptTokens + newTokens, model);
      Session conversation = model.newSession();
      conversation.prefill(Arrays.copyOf(all, promptTokens));
      Session session = model.newSession();
      run(conversation, session, all);
      onRun.accept(0);
      List<Run> runs = new ArrayList<>();
      for (int i = 1; i <= repetitions; i++) {
        runs.add(run(conversation, session, all));
        onRun.accept(i);
      }
      return new Result(
          statistics(runs, Run::turn), statistics(runs, Run::again), statistics(runs, Run::fork));
    }
  }

  private static Run run(Session conversation, Session session, int[] all) {
    long start = System.nanoTime();
    Session fork = conversation.fork();
    double forkSeconds = Seconds.since(start);
    start = System.nanoTime();
    float[] logits = fork.read(all).logits();
    double turnSeconds = Seconds.since(start);
    FiniteLogits.check(fork, logits);
    session.clear();
    start = System.nanoTime();
    logits = session.read(all).logits();
    double againSeconds = Seconds.since(start);
    FiniteLogits.check(session, logits);
    return new Run(turnSeconds, againSeconds, forkSeconds);
  }

  private static Statistics statistics(List<Run> runs, ToDoubleFunction<Run> figure) {
    return Statistics.of(runs.stream().mapToDouble(figure).toArray());
  }
}
