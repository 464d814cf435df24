package dev.gdn.model.config;

import dev.gdn.model.json.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Reads the rotary embedding from a configuration: {@code rope_parameters}, or the older keys
 * {@code rope_theta}, {@code partial_rotary_factor} and {@code rope_scaling} beside the sizes. Both
 * may be there if they agree.
 */
final class RotaryReader {
  private final JsonObject config;
  private final Optional<JsonObject> parameters;
  private final Optional<JsonObject> scaling;
  private final int headWidth;
  private final double defaultFactor;

  /**
   * @param defaultFactor the rotated part of a head if no key says it
   */
  RotaryReader(JsonObject config, int headWidth, double defaultFactor) {
    this.config = config;
    this.parameters = config.object("rope_parameters");
    this.scaling = config.object("rope_scaling");
    this.headWidth = headWidth;
    this.defaultFactor = defaultFactor;
  }

  RotaryConfig read() {
    parameters.ifPresent(RotaryReader::refuseVariants);
    scaling.ifPresent(RotaryReader::refuseVariants);
    double theta =
        either("rope_theta")
            .orElseThrow(
                () -> parameters.orElse(config).mismatch("rope_theta", "a number of at least 1"));
    if (theta < 1) {
      throw holder("rope_theta").mismatch("rope_theta", "a number of at least 1");
    }
    int width = width();
    return new RotaryConfig(width, theta, sections(width));
  }

  /** Refuses what scales or orders angles in another way. */
  static void refuseVariants(JsonObject rope) {
    for (String key : List.of("rope_type", "type")) {
      if (!rope.text(key).orElse("default").equals("default")) {
        throw rope.mismatch(key, "\"default\", the one supported kind");
      }
    }
    if (!rope.flag("mrope_interleaved").orElse(true)) {
      throw rope.mismatch("mrope_interleaved", "true");
    }
  }

  private int width() {
    String key = "partial_rotary_factor";
    double factor = either(key).orElse(defaultFactor);
    // Truncated as in the reference implementation; the product of an exact factor is whole.
    int width = factor > 0 && factor <= 1 ? (int) (headWidth * factor) : 0;
    if (width < 2 || width % 2 != 0) {
      throw holder(key)
          .problem(
              key,
              "expected a factor of at most 1 that gives an even rotary width of head_dim %d,"
                      .formatted(headWidth)
                  + " found "
                  + factor);
    }
    return width;
  }

  private List<Integer> sections(int width) {
    String key = "mrope_section";
    Optional<JsonObject> holder = parameters.filter(p -> p.has(key)).or(() -> scaling);
    List<Integer> sections = holder.flatMap(h -> h.integers(key, 0, width)).orElse(List.of());
    int sum = sections.stream().mapToInt(Integer::intValue).sum();
    if (!sections.isEmpty() && (sections.size() != 3 || sum != width / 2)) {
      throw holder
          .orElse(config)
          .mismatch(
              key, "three sections that add up to %d, half the rotary width".formatted(width / 2));
    }
    return sections;
  }

  /** A number of {@code rope_parameters} or else of the configuration itself. */
  private OptionalDouble either(String key) {
    OptionalDouble older = config.number(key);
    if (parameters.isEmpty() || !parameters.get().has(key)) {
      return older;
    }
    OptionalDouble newer = parameters.get().number(key);
    if (older.isPresent() && older.getAsDouble() != newer.getAsDouble()) {
      throw config.problem(
          key,
          "expected %s as in rope_parameters, found %s"
              .formatted(newer.getAsDouble(), older.getAsDouble()));
    }
    return newer;
  }

  private JsonObject holder(String key) {
    return parameters.filter(p -> p.has(key)).orElse(config);
  }
}
