package dev.gdn.model;

import java.util.Iterator;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.Flow;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Events that are computed when they are asked for, on the thread that asks. They can be taken one
 * by one, as a {@link Stream}, or as a {@link Flow.Publisher}; once and in one of these ways. Used
 * by one thread at a time, but for {@link #cancel()}.
 *
 * @param <E> the events
 */
public interface EventIterator<E> extends Iterator<E> {
  /**
   * Asks for an early end, from any thread. What is being computed stops soon, and the last events
   * say what there is so far. Does nothing after the end.
   */
  void cancel();

  /** Whether it is known, without computing anything, that there are no more events. */
  boolean hasEnded();

  /** The events as a sequential stream; closing it cancels what is left. */
  default Stream<E> stream() {
    int order = Spliterator.ORDERED | Spliterator.NONNULL;
    return StreamSupport.stream(Spliterators.spliteratorUnknownSize(this, order), false)
        .onClose(this::cancel);
  }

  /**
   * The events as a publisher for one subscriber. They are computed on a thread of their own, and
   * none before it is requested. Cancelling the subscription cancels what is left; what computes it
   * is free again when that thread has ended its step.
   */
  default Flow.Publisher<E> publisher() {
    return new PullPublisher<>(this);
  }
}
