package dev.gdn.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gdn.core.concurrent.Workers;
import dev.gdn.core.kernel.KernelChoice;
import dev.gdn.core.kernel.KernelProvider;
import dev.gdn.demo.DemoModel;
import dev.gdn.model.ModelOptions;
import dev.gdn.model.bench.MemoryUse;
import dev.gdn.model.bench.ModelBenchmark;
import dev.gdn.model.bench.ModelSpeed;
import dev.gdn.model.bench.RuleBenchmark;
import dev.gdn.model.bench.RuleSpeed;
import dev.gdn.model.bench.StateBenchmark;
import dev.gdn.model.bench.Statistics;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "bench",
    description = {
      "Measures a model: tokens of a prompt and tokens generated in a second, after a first run"
          + " that is counted apart; with --state, the next turn of a conversation, of -n tokens"
          + " after -p, and forks of it; or, with --rule, the gated delta rule by itself.",
      "With --json the last line is one JSON object with all figures."
    })
final class BenchCommand extends BaseCommand {
  /** Of a run with a model: what else the machine does in between takes milliseconds. */
  private static final double LEAST_SECONDS = 5e-3;

  /** Of a call of the rule, which is repeated: to share it out among threads takes microseconds. */
  private static final double LEAST_CALL_SECONDS = 1e-3;

  @Option(
      names = {"-m", "--model"},
      paramLabel = "PATH",
      description = "A checkpoint folder or a GGUF file; the demonstration model if none.")
  private Path model;

  @Option(
      names = {"-p", "--prompt-tokens"},
      paramLabel = "N",
      defaultValue = "512",
      description = "Tokens of the prompt (${DEFAULT-VALUE}).")
  private int promptTokens;

  @Option(
      names = {"-n", "--max-tokens"},
      paramLabel = "N",
      defaultValue = "128",
      description = "Tokens to generate (${DEFAULT-VALUE}).")
  private int generatedTokens;

  @Option(
      names = {"-r", "--repetitions"},
      paramLabel = "N",
      defaultValue = "3",
      description = "Measured runs (${DEFAULT-VALUE}).")
  private int repetitions;

  @Option(names = "--state", description = "Measure what a kept state saves.")
  private boolean state;

  @Option(names = "--rule", description = "Measure the gated delta rule, not a model.")
  private boolean rule;

  @Option(
      names = "--tokens",
      paramLabel = "N",
      defaultValue = "2048",
      description = "With --rule: tokens of the sequence (${DEFAULT-VALUE}).")
  private int tokens;

  @Option(
      names = "--heads",
      paramLabel = "N",
      defaultValue = "16",
      description = "With --rule: heads (${DEFAULT-VALUE}).")
  private int heads;

  @Option(
      names = "--dim",
      paramLabel = "N",
      defaultValue = "128",
      description = "With --rule: width of keys and values (${DEFAULT-VALUE}).")
  private int width;

  @Option(names = "--json", description = "Print the figures as JSON on the last line.")
  private boolean json;

  @Mixin private CacheOption cache;

  @Mixin private QuantizeOption quantize;

  @Mixin private KernelOptions kernels;

  @Override
  void run(PrintWriter out) throws IOException {
    if (rule && state) {
      throw new InputException("--rule and --state: expected one of them, found both");
    }
    Map<String, Object> figures =
        rule ? measureRule(out) : state ? measureState(out) : measureModel(out);
    if (json) {
      out.println(new ObjectMapper().writeValueAsString(figures));
    }
  }

  private Map<String, Object> measureModel(PrintWriter out) {
    ModelBenchmark benchmark = new ModelBenchmark(promptTokens, generatedTokens, repetitions);
    ModelOptions options = options();
    Path measured = model == null ? DemoModel.extract() : model;
    ModelSpeed speed;
    try (Progress loading = new Progress("loading", "MB", 1_000_000);
        Progress progress = new Progress("measuring", "runs", 1)) {
      speed =
          benchmark.measure(
              measured,
              options.withLoadProgress(loading::done),
              run -> progress.done(run + 1L, repetitions + 1L));
    }
    MemoryUse memory = speed.memory();
    out.printf("model                %s%n", measured);
    out.printf("threads              %d%n", options.workers().threads());
    line(out, "prefill, tokens/s", speed.prefill());
    line(out, "decode, tokens/s", speed.decode());
    line(
        out,
        "first prompt",
        "%.3f s (%.2f tokens/s), after %.3f s to open"
            .formatted(
                speed.coldPromptSeconds(),
                promptTokens / speed.coldPromptSeconds(),
                speed.openSeconds()));
    line(
        out,
        "memory",
        "%s resident, %s at most, %s of heap"
            .formatted(
                megabytes(memory.resident()),
                megabytes(memory.peakResident()),
                megabytes(OptionalLong.of(memory.heap()))));
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("model", measured.toString());
    figures.put("threads", options.workers().threads());
    figures.put("kv_cache", cache.type().name());
    figures.put("prompt_tokens", promptTokens);
    figures.put("generated_tokens", generatedTokens);
    figures.put("repetitions", repetitions);
    put(figures, "prefill_tokens_per_second", speed.prefill());
    put(figures, "decode_tokens_per_second", speed.decode());
    figures.put("open_seconds", speed.openSeconds());
    figures.put("cold_prompt_seconds", speed.coldPromptSeconds());
    figures.put("cold_prefill_tokens_per_second", promptTokens / speed.coldPromptSeconds());
    memory.resident().ifPresent(bytes -> figures.put("resident_bytes", bytes));
    memory.peakResident().ifPresent(bytes -> figures.put("peak_resident_bytes", bytes));
    figures.put("heap_bytes", memory.heap());
    sayIfShort(
        LEAST_SECONDS,
        "-p and -n say how many tokens",
        new ShortRuns.Timed("the prompt", promptTokens / speed.prefill().mean()),
        new ShortRuns.Timed("the tokens", generatedTokens / speed.decode().mean()));
    return figures;
  }

  private ModelOptions options() {
    return quantize.applyTo(
        ModelOptions.defaults()
            .withKernels(kernels.name())
            .withWorkers(kernels.workers())
            .withKeyValueType(cache.type()));
  }

  private Map<String, Object> measureState(PrintWriter out) {
    StateBenchmark benchmark = new StateBenchmark(promptTokens, generatedTokens, repetitions);
    Path measured = model == null ? DemoModel.extract() : model;
    StateBenchmark.Result result;
    try (Progress progress = new Progress("measuring", "runs", 1)) {
      result =
          benchmark.measure(measured, options(), run -> progress.done(run + 1L, repetitions + 1L));
    }
    double ratio = result.againSeconds().mean() / result.turnSeconds().mean();
    out.printf("model                %s%n", measured);
    line(out, "next turn, s", result.turnSeconds());
    line(out, "all read again, s", result.againSeconds());
    line(out, "ratio", String.format(Locale.ROOT, "%.1f", ratio));
    line(
        out,
        "fork, ms",
        String.format(
            Locale.ROOT,
            "%.2f ± %.2f",
            1000 * result.forkSeconds().mean(),
            1000 * result.forkSeconds().deviation()));
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("model", measured.toString());
    figures.put("kv_cache", cache.type().name());
    figures.put("prompt_tokens", promptTokens);
    figures.put("new_tokens", generatedTokens);
    figures.put("repetitions", repetitions);
    put(figures, "turn_seconds", result.turnSeconds());
    put(figures, "again_seconds", result.againSeconds());
    put(figures, "fork_seconds", result.forkSeconds());
    figures.put("ratio", ratio);
    sayIfShort(
        LEAST_SECONDS,
        "-p and -n say how many tokens",
        new ShortRuns.Timed("the next turn", result.turnSeconds().mean()),
        new ShortRuns.Timed("reading all again", result.againSeconds().mean()));
    return figures;
  }

  private Map<String, Object> measureRule(PrintWriter out) {
    RuleBenchmark benchmark = new RuleBenchmark(tokens, heads, width, repetitions);
    Workers workers = kernels.workers();
    KernelProvider provider = KernelChoice.named(kernels.name());
    String name = provider.open(workers).name();
    int threads = workers.threads();
    RuleSpeed speed = benchmark.measure(provider, workers);
    out.printf("kernels              %s, %s%n", name, Message.count(threads, "thread"));
    line(out, "chunk form, µs per token and head", speed.chunk());
    line(out, "the same on one thread", speed.oneThread());
    line(
        out,
        "with gates per key channel",
        times(speed.channelGates(), speed.channelGatesRatio(), "the time of gates per head"));
    line(
        out,
        "in shards, gates that forget",
        times(speed.sharded(), speed.shardedRatio(), "as fast as one thread"));
    line(
        out,
        "in shards, gates that last",
        times(speed.lasting(), speed.lastingRatio(), "as fast as one thread"));
    line(out, "one step, µs per head", speed.recurrent());
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("kernels", name);
    figures.put("threads", threads);
    figures.put("tokens", tokens);
    figures.put("heads", heads);
    figures.put("dim", width);
    figures.put("repetitions", repetitions);
    put(figures, "us_per_token_head", speed.chunk());
    put(figures, "us_per_token_head_one_thread", speed.oneThread());
    put(figures, "us_per_token_head_key_gates", speed.channelGates());
    put(figures, "us_per_token_head_sharded", speed.sharded());
    put(figures, "us_per_token_head_sharded_lasting", speed.lasting());
    figures.put("key_gates_ratio", speed.channelGatesRatio());
    figures.put("sharded_ratio", speed.shardedRatio());
    figures.put("sharded_lasting_ratio", speed.lastingRatio());
    put(figures, "us_per_step_head", speed.recurrent());
    sayIfShort(
        LEAST_CALL_SECONDS,
        "--tokens, --heads and --dim say how much there is to compute",
        new ShortRuns.Timed("the chunk form", 1e-6 * tokens * heads * speed.chunk().mean()));
    return figures;
  }

  private void sayIfShort(double leastSeconds, String remedy, ShortRuns.Timed... runs) {
    ShortRuns.note(leastSeconds, remedy, runs).ifPresent(note -> Failures.say(err(), note));
  }

  private static void put(Map<String, Object> figures, String name, Statistics values) {
    figures.put(name, values.mean());
    figures.put(name + "_deviation", values.deviation());
  }

  private static void line(PrintWriter out, String what, Statistics values) {
    line(out, what, text(values));
  }

  private static String text(Statistics values) {
    return String.format(Locale.ROOT, "%.2f ± %.2f", values.mean(), values.deviation());
  }

  private static String times(Statistics values, double ratio, String of) {
    return String.format(Locale.ROOT, "%s, %.2f times %s", text(values), ratio, of);
  }

  private static void line(PrintWriter out, String what, String value) {
    out.printf("%-20s %s%n", what, value);
  }

  private static String megabytes(OptionalLong bytes) {
    return bytes.isEmpty()
        ? "unknown"
        : String.format(Locale.ROOT, "%.1f MB", bytes.getAsLong() * 1e-6);
  }
}
