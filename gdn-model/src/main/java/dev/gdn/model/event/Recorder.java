package dev.gdn.model.event;

import java.util.Optional;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;

/**
 * Begins events where Flight Recorder was started in this process. Elsewhere nobody could get them,
 * and the first one would have the JVM load the recorder's own classes, which takes a tenth of a
 * second.
 */
public final class Recorder {
  private Recorder() {}

  /** A checkpoint is about to be opened. */
  public static Optional<ModelLoadEvent> beginModelLoad() {
    return FlightRecorder.isInitialized() ? begun(new ModelLoadEvent()) : Optional.empty();
  }

  /** A kept state is about to be looked for. */
  public static Optional<PrefixReuseEvent> beginPrefixReuse() {
    return FlightRecorder.isInitialized() ? begun(new PrefixReuseEvent()) : Optional.empty();
  }

  /** A piece of a prompt is about to be taken. */
  public static Optional<PrefillEvent> beginPrefill() {
    return FlightRecorder.isInitialized() ? begun(new PrefillEvent()) : Optional.empty();
  }

  /** One token is about to be taken. */
  public static Optional<DecodeEvent> beginDecode() {
    return FlightRecorder.isInitialized() ? begun(new DecodeEvent()) : Optional.empty();
  }

  private static <E extends Event> Optional<E> begun(E event) {
    event.begin();
    return Optional.of(event);
  }
}
