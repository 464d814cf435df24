package dev.gdn.model;

import java.util.concurrent.atomic.AtomicReference;

/**
 * Lets one thread at a time in, and in one call; others are refused, and may cancel what it does.
 */
final class SoleUser {
  /** The stay of the thread that is in. */
  interface Stay extends AutoCloseable {
    @Override
    void close();
  }

  private final AtomicReference<Thread> thread = new AtomicReference<>();
  private final Stay stay = () -> thread.set(null);
  private volatile boolean cancelled;

  /**
   * @throws IllegalStateException if another thread is in, or this one, whose call asks an observer
   */
  Stay enter() {
    Thread other = thread.compareAndExchange(null, Thread.currentThread());
    if (other != null) {
      throw new IllegalStateException(
          other == Thread.currentThread()
              ? "a session is not used from within its own calls: this one asks an observer"
              : "a session is used by one thread at a time; now by " + other.getName());
    }
    cancelled = false;
    return stay;
  }

  /** Marks the present stay as cancelled, if there is one. */
  void cancel() {
    if (thread.get() != null) {
      cancelled = true;
    }
  }

  boolean isCancelled() {
    return cancelled;
  }
}
