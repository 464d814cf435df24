package dev.gdn.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class PullPublisherTest {
  /** The numbers from 1, of which the {@code failing}-th fails. */
  private static final class Numbers implements EventIterator<Integer> {
    private final int count;
    private final int failing;
    private final AtomicInteger made = new AtomicInteger();
    private volatile boolean cancelled;

    Numbers(int count, int failing) {
      this.count = count;
      this.failing = failing;
    }

    @Override
    public void cancel() {
      cancelled = true;
    }

    @Override
    public boolean hasEnded() {
      return made.get() == count || cancelled;
    }

    @Override
    public boolean hasNext() {
      return !hasEnded();
    }

    @Override
    public Integer next() {
      int next = made.incrementAndGet();
      if (next == failing) {
        throw new IllegalStateException("fails");
      }
      return next;
    }
  }

  private static final class Recorder implements Flow.Subscriber<Integer> {
    private final BlockingQueue<Object> signals = new LinkedBlockingQueue<>();
    private final BlockingQueue<Flow.Subscription> subscription = new LinkedBlockingQueue<>();

    @Override
    public void onSubscribe(Flow.Subscription given) {
      subscription.add(given);
    }

    @Override
    public void onNext(Integer item) {
      signals.add(item);
    }

    @Override
    public void onError(Throwable failure) {
      signals.add(failure);
    }

    @Override
    public void onComplete() {
      signals.add("complete");
    }

    Object next() throws InterruptedException {
      return signals.poll(20, TimeUnit.SECONDS);
    }

    void assertSilent() throws InterruptedException {
      assertNull(signals.poll(100, TimeUnit.MILLISECONDS));
    }
  }

  @Test
  void nothingIsComputedBeforeItIsRequested() throws InterruptedException {
    Numbers numbers = new Numbers(3, 0);
    Recorder recorder = new Recorder();
    numbers.publisher().subscribe(recorder);
    Flow.Subscription subscription = recorder.subscription.take();
    recorder.assertSilent();
    assertEquals(0, numbers.made.get());
    subscription.request(2);
    assertEquals(1, recorder.next());
    assertEquals(2, recorder.next());
    recorder.assertSilent();
    assertEquals(2, numbers.made.get());
    subscription.request(Long.MAX_VALUE);
    subscription.request(Long.MAX_VALUE);
    assertEquals(3, recorder.next());
    assertEquals("complete", recorder.next());
  }

  @Test
  void theEndNeedsNoRequest() throws InterruptedException {
    Recorder recorder = new Recorder();
    new Numbers(1, 0).publisher().subscribe(recorder);
    recorder.subscription.take().request(1);
    assertEquals(1, recorder.next());
    assertEquals("complete", recorder.next());
  }

  @Test
  void cancellingEndsItWithoutASignal() throws InterruptedException {
    Numbers numbers = new Numbers(Integer.MAX_VALUE, 0);
    Recorder recorder = new Recorder();
    numbers.publisher().subscribe(recorder);
    Flow.Subscription subscription = recorder.subscription.take();
    subscription.request(1);
    assertEquals(1, recorder.next());
    subscription.cancel();
    assertTrue(numbers.cancelled);
    subscription.request(5);
    recorder.assertSilent();
  }

  @Test
  void failuresAreHandedOn() throws InterruptedException {
    Recorder recorder = new Recorder();
    new Numbers(5, 2).publisher().subscribe(recorder);
    recorder.subscription.take().request(5);
    assertEquals(1, recorder.next());
    assertEquals(
        "fails", assertInstanceOf(IllegalStateException.class, recorder.next()).getMessage());
    recorder.assertSilent();
  }

  @Test
  void aRequestOfNothingIsRefused() throws InterruptedException {
    Numbers numbers = new Numbers(5, 0);
    Recorder recorder = new Recorder();
    numbers.publisher().subscribe(recorder);
    recorder.subscription.take().request(0);
    assertInstanceOf(IllegalArgumentException.class, recorder.next());
    assertTrue(numbers.cancelled);
  }

  @Test
  void aSecondSubscriberIsRefused() throws InterruptedException {
    Flow.Publisher<Integer> publisher = new Numbers(5, 0).publisher();
    Recorder first = new Recorder();
    publisher.subscribe(first);
    Recorder second = new Recorder();
    publisher.subscribe(second);
    assertInstanceOf(IllegalStateException.class, second.next());
    first.subscription.take().request(1);
    assertEquals(1, first.next());
  }

  @Test
  void aStreamTakesWhatItNeedsAndCancelsTheRest() {
    Numbers numbers = new Numbers(100, 0);
    try (Stream<Integer> stream = numbers.stream()) {
      assertEquals(List.of(1, 2, 3), stream.limit(3).toList());
    }
    assertEquals(3, numbers.made.get());
    assertTrue(numbers.cancelled);
  }
}
