package dev.gdn.model.state;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Sequences that later prompts may begin with, under a budget of bytes. Memory that several of them
 * share is counted once. Safe to use by several threads.
 *
 * <p>When the budget is exceeded, the least useful goes first: the one with the smallest product of
 * the tokens that would have to be read again from the longest sequence kept that it begins with,
 * how likely its kind is asked for, and 1 / the time since it was last of use, counted in calls.
 */
public final class PrefixCache {
  /** Most sequences: all of them are looked at for each prompt. */
  static final int MOST = 256;

  /** How much likelier a prompt goes on where a message ended than anywhere else. */
  private static final int BORDER_WEIGHT = 16;

  private static final class Entry {
    final SequenceState state;
    // The longest other sequence kept that this one begins with; null if none.
    Entry parent;
    boolean border;
    long used;

    Entry(SequenceState state, boolean border, long used) {
      this.state = state;
      this.border = border;
      this.used = used;
    }

    double usefulness(long now) {
      int again = state.position() - (parent == null ? 0 : parent.state.position());
      return (double) again * (border ? BORDER_WEIGHT : 1) / (now - used + 1);
    }
  }

  private final long budget;
  private final List<Entry> entries = new ArrayList<>();
  private final Map<Object, Integer> holders = new IdentityHashMap<>();
  private long bytes;
  private long clock;

  /**
   * An empty cache.
   *
   * @param budget most bytes; with 0 nothing is kept
   * @throws IllegalArgumentException if it is negative
   */
  public PrefixCache(long budget) {
    if (budget < 0) {
      throw new IllegalArgumentException("budget: expected at least 0 bytes, found " + budget);
    }
    this.budget = budget;
  }

  /** Whether anything is kept at all. */
  public boolean isOpen() {
    return budget > 0;
  }

  /**
   * The longest sequence that a prompt begins with. One as long as the prompt counts only if it
   * knows the logits.
   */
  public synchronized Optional<SequenceState> longest(int[] prompt) {
    clock++;
    Entry best = null;
    for (Entry entry : entries) {
      SequenceState state = entry.state;
      if ((best == null || state.position() > best.state.position())
          && (state.position() < prompt.length || state.hasLogits())
          && state.isPrefixOf(prompt, prompt.length)) {
        best = entry;
      }
    }
    if (best == null) {
      return Optional.empty();
    }
    best.used = clock;
    return Optional.of(best.state);
  }

  /**
   * Keeps a sequence; one of the same tokens is replaced if that had no logits and this one has.
   * One {@linkplain SequenceState#isFromFile() from a file} is not kept: what that makes of its
   * tokens is the business of the session which loaded it, and of no other.
   *
   * @param border whether a message, or a prompt, ends there
   */
  public synchronized void offer(SequenceState state, boolean border) {
    if (state.isFromFile()) {
      return;
    }
    clock++;
    Entry same = find(state.tokens());
    if (same != null) {
      same.border |= border;
      same.used = clock;
      if (same.state.hasLogits() || !state.hasLogits()) {
        return;
      }
      border = same.border;
      remove(same);
    }
    add(new Entry(state, border, clock));
    while (bytes > budget || entries.size() > MOST) {
      remove(leastUseful());
    }
  }

  /** Forgets all. */
  public synchronized void clear() {
    entries.clear();
    holders.clear();
    bytes = 0;
  }

  /** Bytes held. */
  public synchronized long bytes() {
    return bytes;
  }

  /** Positions of the sequences kept, for tests. */
  synchronized List<Integer> positions() {
    return entries.stream().map(entry -> entry.state.position()).sorted().toList();
  }

  private Entry find(int[] tokens) {
    for (Entry entry : entries) {
      if (entry.state.position() == tokens.length
          && entry.state.isPrefixOf(tokens, tokens.length)) {
        return entry;
      }
    }
    return null;
  }

  private Entry leastUseful() {
    Entry least = entries.getFirst();
    for (Entry entry : entries) {
      if (entry.usefulness(clock) < least.usefulness(clock)) {
        least = entry;
      }
    }
    return least;
  }

  private void add(Entry added) {
    int[] tokens = added.state.tokens();
    for (Entry entry : entries) {
      if (entry.state.isPrefixOf(tokens, tokens.length)
          && (added.parent == null || entry.state.position() > added.parent.state.position())) {
        added.parent = entry;
      }
    }
    for (Entry entry : entries) {
      if (entry.parent == added.parent
          && added.state.isPrefixOf(entry.state.tokens(), entry.state.position())) {
        entry.parent = added;
      }
    }
    entries.add(added);
    added.state.forEachBlock(
        (block, size) -> {
          if (holders.merge(block, 1, Integer::sum) == 1) {
            bytes += size;
          }
        });
  }

  private void remove(Entry removed) {
    entries.remove(removed);
    for (Entry entry : entries) {
      if (entry.parent == removed) {
        entry.parent = removed.parent;
      }
    }
    removed.state.forEachBlock(
        (block, size) -> {
          if (holders.merge(block, -1, Integer::sum) == 0) {
            holders.remove(block);
            bytes -= size;
          }
        });
  }
}
