package dev.gdn.cli;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Says which measurements are too short for their figures to hold. */
final class ShortRuns {
  /**
   * Something that was timed.
   *
   * @param seconds of one run, on average
   */
  record Timed(String what, double seconds) {}

  private ShortRuns() {}

  /**
   * One line, or empty if all are long enough.
   *
   * @param leastSeconds of a run that can be measured
   * @param remedy which options make runs longer
   */
  static Optional<String> note(double leastSeconds, String remedy, Timed... runs) {
    String tooShort =
        Arrays.stream(runs)
            .filter(run -> run.seconds() < leastSeconds)
            .map(run -> milliseconds(run.seconds()) + " for " + run.what())
            .collect(Collectors.joining(", "));
    return tooShort.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "runs are too short for figures that hold: expected at least %s, found %s; %s"
                .formatted(milliseconds(leastSeconds), tooShort, remedy));
  }

  private static String milliseconds(double seconds) {
    return String.format(Locale.ROOT, "%.2f ms", seconds * 1000);
  }
}
