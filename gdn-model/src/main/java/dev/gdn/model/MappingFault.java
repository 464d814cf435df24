package dev.gdn.model;

import dev.gdn.model.error.CheckpointException;
import java.nio.file.Path;

/** What it means that mapped memory could not be read. */
final class MappingFault {
  /** How HotSpot words it, for interpreted and for compiled code. */
  private static final String FAULT = "unsafe memory access operation";

  private MappingFault() {}

  /**
   * The exception for a fault.
   *
   * @param location of the files that are mapped
   * @throws InternalError the error itself, if it is none of mapped memory
   */
  static CheckpointException describe(InternalError error, Path location) {
    if (error.getMessage() == null || !error.getMessage().contains(FAULT)) {
      throw error;
    }
    return new CheckpointException(
        location,
        "weights",
        "expected a file that stays as it is while it is open, found one cut short or unreadable",
        error);
  }
}
