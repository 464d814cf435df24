package dev.gdn.fuzz;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Set;

/**
 * What every reader of untrusted input promises: a result or the documented exception, in time and
 * memory that the size of the input bounds. Whatever else a reader throws, errors too, goes through
 * and is a finding.
 */
public final class Bounds {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final long MEGABYTE = 1 << 20;

  /** For tables that do not depend on the input. */
  private static final long FREE_BYTES = 64 * MEGABYTE;

  /** A value of one byte, such as an empty object in a list, takes a tree's node and its key. */
  private static final long BYTES_PER_BYTE = 2_000;

  private static final int LONGEST_MESSAGE = 10_000;

  private Bounds() {}

  /** What a call took. */
  private record Cost(long bytes, long nanos) {
    boolean fits(int size) {
      return bytes <= FREE_BYTES + BYTES_PER_BYTE * size
          && nanos <= Duration.ofSeconds(1 + size / MEGABYTE).toNanos();
    }
  }

  /**
   * Runs a reader and checks what it promises. One that takes too much runs once more, as the first
   * call loads classes, and the fuzzer rewrites these meanwhile.
   *
   * @param size of its input, in bytes
   * @param documented what it may throw
   */
  public static void check(
      int size, Class<? extends RuntimeException> documented, Runnable reader) {
    check(size, Set.of(documented), reader);
  }

  /** As above, with several documented exceptions. */
  static void check(int size, Set<Class<? extends RuntimeException>> documented, Runnable reader) {
    if (!run(documented, reader).fits(size)) {
      Cost again = run(documented, reader);
      assertTrue(again.fits(size), "%s for an input of %d bytes".formatted(again, size));
    }
  }

  private static Cost run(Set<Class<? extends RuntimeException>> documented, Runnable reader) {
    long allocated = THREADS.getCurrentThreadAllocatedBytes();
    long time = THREADS.getCurrentThreadCpuTime();
    try {
      reader.run();
    } catch (RuntimeException refusal) {
      if (!documented.contains(refusal.getClass())) {
        throw refusal;
      }
      String message = refusal.getMessage();
      assertFalse(message == null || message.isBlank(), "an exception without a message");
      assertTrue(message.length() <= LONGEST_MESSAGE, "a message of " + message.length());
    }
    return new Cost(
        THREADS.getCurrentThreadAllocatedBytes() - allocated,
        THREADS.getCurrentThreadCpuTime() - time);
  }
}
