package dev.gdn.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/**
 * Looks for new inputs of each reader for a moment, in a process for each: the fuzzer searches with
 * one test in a JVM.
 */
class ShortSearchTest {
  private static final String DURATION = "2s";

  /** Runs the tests of one class. */
  static final class Search {
    private Search() {}

    public static void main(String[] args) throws ClassNotFoundException {
      LauncherDiscoveryRequest request =
          LauncherDiscoveryRequestBuilder.request()
              .selectors(selectClass(Class.forName(args[0])))
              .build();
      SummaryGeneratingListener listener = new SummaryGeneratingListener();
      LauncherFactory.create().execute(request, listener);
      TestExecutionSummary summary = listener.getSummary();
      summary.getFailures().forEach(failure -> failure.getException().printStackTrace());
      System.exit(summary.getTotalFailureCount() == 0 ? 0 : 1);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "dev.gdn.cli.RuleCaseFuzzTest",
        "dev.gdn.fuzz.ChatTemplateFuzzTest",
        "dev.gdn.fuzz.ConfigFuzzTest",
        "dev.gdn.fuzz.GenerationConfigFuzzTest",
        "dev.gdn.fuzz.GgufFuzzTest",
        "dev.gdn.fuzz.MessagesFuzzTest",
        "dev.gdn.fuzz.OutputParserFuzzTest",
        "dev.gdn.fuzz.SafetensorsFuzzTest",
        "dev.gdn.fuzz.SessionFuzzTest",
        "dev.gdn.fuzz.SplitGgufFuzzTest",
        "dev.gdn.fuzz.TextFuzzTest",
        "dev.gdn.fuzz.TokenizerFuzzTest"
      })
  void noInputIsFoundThatFails(String test) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(argument -> argument.startsWith("-X") || argument.startsWith("--"))
        .forEach(command::add);
    command.addAll(
        List.of(
            // Soon at speed, on one thread.
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=off",
            "-Djazzer.instrument=dev.gdn.**",
            "-Djazzer.disabled_hooks=" + System.getProperty("jazzer.disabled_hooks"),
            "-Djazzer.max_duration=" + DURATION,
            "-cp",
            System.getProperty("java.class.path"),
            Search.class.getName(),
            test));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("JAZZER_FUZZ", "true");
    Process process = builder.start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), out);
    assertTrue(out.contains(" runs in "), out);
  }
}
