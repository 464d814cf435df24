package dev.gdn.model.tokenizer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** A megabyte without a break costs little time and no stack. */
class LongTextTest {
  private static final int LENGTH = 1 << 20;
  private static final long SMALL_STACK = 256 << 10;
  private static final double NANOSECONDS = 1e9;

  private final Tokenizer tokenizer = Tokenizer.read(TokenizerFiles.DEMO);

  @Test
  void encodesAMegabyteOfEveryKindOnASmallStack() throws InterruptedException {
    StringBuilder letters = new StringBuilder();
    new Random(3).ints(LENGTH, 'a', 'z' + 1).forEach(letter -> letters.append((char) letter));
    List<String> texts =
        List.of(
            letters.toString(),
            "a".repeat(LENGTH),
            " ".repeat(LENGTH),
            "\n".repeat(LENGTH),
            "\n ".repeat(LENGTH / 2),
            " ".repeat(LENGTH) + "x",
            "7".repeat(LENGTH),
            "!".repeat(LENGTH),
            "\u00e9".repeat(LENGTH / 2),
            "<|im_".repeat(LENGTH / 5));
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread thread =
        new Thread(null, () -> texts.forEach(this::encodeInTime), "encoder", SMALL_STACK);
    thread.setUncaughtExceptionHandler((where, what) -> failure.set(what));
    thread.start();
    thread.join();
    assertNull(failure.get());
  }

  private void encodeInTime(String text) {
    // The thread's own time: what else the machine does is not the tokenizer's.
    long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    int[] ids = tokenizer.encode(text, true);
    long end = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    double seconds = (end - start) / NANOSECONDS;
    assertTrue(seconds < 1, () -> seconds + " s for " + text.substring(0, 10) + "…");
    assertEquals(text, tokenizer.decode(ids));
  }
}
