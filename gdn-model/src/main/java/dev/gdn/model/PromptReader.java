package dev.gdn.model;

import dev.gdn.model.event.PrefillEvent;
import dev.gdn.model.event.PrefixReuseEvent;
import dev.gdn.model.event.Recorder;
import dev.gdn.model.observer.ForwardObserver;
import dev.gdn.model.state.PrefixCache;
import dev.gdn.model.state.SequenceState;
import dev.gdn.model.state.Stops;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

/**
 * Brings a sequence to the end of a prompt: from the longest beginning that has been read before,
 * in blocks, with states kept on the way for later prompts.
 */
final class PromptReader {
  private final LiveSequence live;
  private final PrefixCache prefixes;
  private final BooleanSupplier cancelled;

  /**
   * @param cancelled asked between the parts of a prompt, as the thread's interrupt is
   */
  PromptReader(LiveSequence live, PrefixCache prefixes, BooleanSupplier cancelled) {
    this.live = live;
    this.prefixes = prefixes;
    this.cancelled = cancelled;
  }

  /** Stands after exactly these tokens. */
  Reading read(int[] prompt, Stops stops, ForwardObserver observer) {
    Optional<PrefixReuseEvent> event = Recorder.beginPrefixReuse();
    int reused = resume(prompt);
    event.ifPresent(begun -> begun.found(prompt.length, reused));
    observer.progress(0, prompt.length - reused);
    if (reused < prompt.length) {
      if (stops.isBorder(reused)) {
        keep(true);
      }
      append(prompt, reused, stops, observer);
      keep(true);
    }
    return new Reading(live.logits(), reused, prompt.length - reused);
  }

  // Stands at the longest beginning of the prompt that there is; returns its length.
  private int resume(int[] prompt) {
    boolean goesOn = live.leadsTo(prompt);
    Optional<SequenceState> kept = prefixes.longest(prompt);
    if (goesOn && live.position() >= kept.map(SequenceState::position).orElse(0)) {
      return live.position();
    }
    if (!goesOn && !live.isBroken()) {
      keep(false);
    }
    kept.ifPresentOrElse(live::set, live::clear);
    return live.position();
  }

  /** Takes the tokens from an index on, whatever was before; there is at least one. */
  void append(int[] ids, int from, Stops stops, ForwardObserver observer) {
    Optional<PrefillEvent> event = Recorder.beginPrefill();
    int start = live.position();
    try {
      takeBlocks(ids, from, stops, observer);
    } finally {
      int taken = live.position() - start;
      event.ifPresent(begun -> begun.taken(start, taken, taken == ids.length - from));
    }
  }

  private void takeBlocks(int[] ids, int from, Stops stops, ForwardObserver observer) {
    int capacity = live.reserve(ids.length - from);
    for (int at = from; at < ids.length; ) {
      checkCancelled(observer);
      int room = Math.min(capacity, stops.after(live.position()) - live.position());
      int count = Math.min(room, ids.length - at);
      live.take(ids, at, count, observer, () -> checkCancelled(observer));
      at += count;
      if (at < ids.length && stops.contains(live.position())) {
        keep(stops.isBorder(live.position()));
      }
      observer.progress(at - from, ids.length - from);
    }
  }

  private void keep(boolean border) {
    if (prefixes.isOpen() && live.position() > 0) {
      prefixes.offer(live.copy(), border);
    }
  }

  private void checkCancelled(ForwardObserver observer) {
    if (Thread.interrupted()) {
      throw new CancellationException("interrupted at position " + live.position());
    }
    if (cancelled.getAsBoolean() || observer.isCancelled()) {
      throw new CancellationException("cancelled at position " + live.position());
    }
  }
}
