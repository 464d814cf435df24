package dev.gdn.model.bench;

import dev.gdn.model.LanguageModel;
import dev.gdn.model.ModelOptions;
import dev.gdn.model.Session;
import java.nio.file.Path;
import java.util.function.IntConsumer;

/**
 * Measures a model: a prompt by {@link Session#prefill}, then tokens by {@link Session#decode}, the
 * same ones in every run. The first run counts as the cold one.
 *
 * @param promptTokens at least 1
 * @param generatedTokens at least 1
 * @param repetitions measured after the cold run, at least 1
 */
public record ModelBenchmark(int promptTokens, int generatedTokens, int repetitions) {
  /**
   * @throws IllegalArgumentException if a number is out of range
   */
  public ModelBenchmark {
    Ranges.check("prompt tokens", promptTokens, 1, 1 << 20);
    Ranges.check("generated tokens", generatedTokens, 1, 1 << 20);
    Ranges.check("repetitions", repetitions, 1, 1000);
  }

  private record Run(double promptSeconds, double decodeSeconds) {}

  /**
   * Opens and measures a checkpoint.
   *
   * @param onRun told the number of each run that ends, from 0, the cold one, to {@code
   *     repetitions}
   * @throws dev.gdn.model.error.CheckpointException if it cannot be used
   * @throws dev.gdn.model.error.ContextFullException if the tokens do not fit the context
   * @throws dev.gdn.model.error.NonFiniteLogitsException if the model computes what is no number
   */
  public ModelSpeed measure(Path checkpoint, ModelOptions options, IntConsumer onRun) {
    long start = System.nanoTime();
    try (LanguageModel model = LanguageModel.open(checkpoint, options)) {
      double openSeconds = Seconds.since(start);
      int[] prompt = BenchmarkIds.of(0, promptTokens, model);
      int[] generated = BenchmarkIds.of(promptTokens, generatedTokens, model);
      Session session = model.newSession();
      Run cold = run(session, prompt, generated);
      onRun.accept(0);
      double[] prefill = new double[repetitions];
      double[] decode = new double[repetitions];
      for (int i = 0; i < repetitions; i++) {
        Run run = run(session, prompt, generated);
        prefill[i] = promptTokens / run.promptSeconds;
        decode[i] = generatedTokens / run.decodeSeconds;
        onRun.accept(i + 1);
      }
      return new ModelSpeed(
          openSeconds,
          cold.promptSeconds,
          Statistics.of(prefill),
          Statistics.of(decode),
          MemoryUse.now());
    }
  }

  private static Run run(Session session, int[] prompt, int[] generated) {
    session.clear();
    long start = System.nanoTime();
    float[] logits = session.prefill(prompt);
    double promptSeconds = Seconds.since(start);
    FiniteLogits.check(session, logits);
    start = System.nanoTime();
    for (int id : generated) {
      logits = session.decode(id);
    }
    double decodeSeconds = Seconds.since(start);
    FiniteLogits.check(session, logits);
    return new Run(promptSeconds, decodeSeconds);
  }
}
