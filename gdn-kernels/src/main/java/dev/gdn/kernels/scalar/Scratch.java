package dev.gdn.kernels.scalar;

import dev.gdn.core.concurrent.Workers;

/** A buffer for each worker, kept from call to call. */
final class Scratch {
  private final float[][] buffers;

  Scratch(Workers workers) {
    buffers = new float[workers.threads()][0];
  }

  /** The worker's buffer, at least {@code size} long, with anything in it. */
  float[] of(int worker, int size) {
    if (buffers[worker].length < size) {
      buffers[worker] = new float[size];
    }
    return buffers[worker];
  }
}
