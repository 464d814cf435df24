package dev.gdn.model.bench;

import java.util.Arrays;

/**
 * Repeated measurements in short.
 *
 * @param mean of all
 * @param deviation their standard deviation; 0 of one
 */
public record Statistics(double mean, double deviation) {
  /**
   * Sums up measurements.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static Statistics of(double... values) {
    double mean =
        Arrays.stream(values)
            .average()
            .orElseThrow(() -> new IllegalArgumentException("expected at least one measurement"));
    double squares = Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum();
    double deviation = values.length == 1 ? 0 : Math.sqrt(squares / (values.length - 1));
    return new Statistics(mean, deviation);
  }
}
