package dev.gdn.model;

import java.util.Objects;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;

/** Publishes events to one subscriber, each computed when it has been requested. */
final class PullPublisher<E> implements Flow.Publisher<E> {
  private final EventIterator<E> events;
  private final AtomicBoolean taken = new AtomicBoolean();

  PullPublisher(EventIterator<E> events) {
    this.events = events;
  }

  @Override
  public void subscribe(Flow.Subscriber<? super E> subscriber) {
    Objects.requireNonNull(subscriber, "subscriber");
    if (!taken.compareAndSet(false, true)) {
      subscriber.onSubscribe(new Refused());
      subscriber.onError(
          new IllegalStateException("subscribers: expected one, found another before"));
      return;
    }
    Delivery<E> delivery = new Delivery<>(events, subscriber);
    subscriber.onSubscribe(delivery);
    Thread thread = new Thread(delivery, "gdn-events");
    thread.setDaemon(true);
    thread.start();
  }

  private static final class Refused implements Flow.Subscription {
    @Override
    public void request(long count) {
      // It has failed already.
    }

    @Override
    public void cancel() {
      // It has failed already.
    }
  }

  private static final class Delivery<E> implements Flow.Subscription, Runnable {
    private final EventIterator<E> events;
    private final Flow.Subscriber<? super E> subscriber;
    private long demand;
    private boolean cancelled;
    private IllegalArgumentException refusal;

    Delivery(EventIterator<E> events, Flow.Subscriber<? super E> subscriber) {
      this.events = events;
      this.subscriber = subscriber;
    }

    @Override
    public synchronized void request(long count) {
      if (count > 0) {
        demand = demand + count < 0 ? Long.MAX_VALUE : demand + count;
      } else if (refusal == null) {
        refusal =
            new IllegalArgumentException("request: expected at least 1, found %d".formatted(count));
        events.cancel();
      }
      notifyAll();
    }

    @Override
    public synchronized void cancel() {
      cancelled = true;
      events.cancel();
      notifyAll();
    }

    @Override
    public void run() {
      try {
        while (!events.hasEnded() && mayGoOn() && events.hasNext()) {
          E event = events.next();
          if (!isCancelled()) {
            subscriber.onNext(event);
          }
        }
        checkRequests();
        if (!isCancelled()) {
          subscriber.onComplete();
        }
      } catch (Throwable failure) {
        events.cancel();
        if (!isCancelled()) {
          subscriber.onError(failure);
        }
        if (failure instanceof Error error) {
          throw error;
        }
      }
    }

    private synchronized boolean isCancelled() {
      return cancelled;
    }

    /** Waits until an event is requested, and takes the request. */
    private synchronized boolean mayGoOn() throws InterruptedException {
      while (demand == 0 && !cancelled && refusal == null) {
        wait();
      }
      checkRequests();
      demand--;
      return !cancelled;
    }

    private synchronized void checkRequests() {
      if (refusal != null && !cancelled) {
        throw refusal;
      }
    }
  }
}
