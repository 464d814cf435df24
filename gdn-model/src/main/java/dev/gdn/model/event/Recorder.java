package dev.gdn.model.event;

import java.util.Optional;
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
    if (!FlightRecorder.isInitialized()) {
      return Optional.empty();
    }
    ModelLoadEvent event = new ModelLoadEvent();
    event.begin();
    return Optional.of(event);
  }

  /** A kept state is about to be looked for. */
  public static Optional<PrefixReuseEvent> beginPrefixReuse() {
    if (!FlightRecorder.isInitialized()) {
      return Optional.empty();
    }
    PrefixReuseEvent event = new PrefixReuseEvent();
    event.begin();
    return Optional.of(event);
  }

  /** A piece of a prompt is about to be taken. */
  public static Optional<PrefillEvent> beginPrefill() {
    if (!FlightRecorder.isInitialized()) {
      return Optional.empty();
    }
    PrefillEvent event = new PrefillEvent();
    event.begin();
    return Optional.of(event);
  }

  /** One token is about to be taken. */
  public static Optional<DecodeEvent> beginDecode() {
    if (!FlightRecorder.isInitialized()) {
      return Optional.empty();
    }
    DecodeEvent event = new DecodeEvent();
    event.begin();
    return Optional.of(event);
  }
}
