package dev.gdn.model.schema;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Runs a grammar over bytes. A state is the set of all ways in which what was read can be
 * understood; each way is a stack of what is still to come, shared between states. States are made
 * when they are first reached, and kept, so that reading on is a look-up. Used by one thread at a
 * time.
 */
final class Automaton {
  /** No way is left. */
  static final State DEAD = new State(new Frame[0], false);

  private static final int MOST_STATES = 4096;
  private static final int MOST_WAYS = 4096;
  private static final int MOST_FRAMES = 1 << 18;

  private final Map<FrameKey, Frame> frames = new HashMap<>();
  private final Map<StateKey, State> states = new HashMap<>();
  private final State start;

  Automaton(Node grammar) {
    Expansion expansion = new Expansion();
    expansion.enter(grammar, null);
    start = expansion.state();
  }

  /** What is still to come: a node, how far it has come, and what follows it; null for the end. */
  private record FrameKey(Node node, int index, Frame next) {}

  // Told apart by identity: equal ones are one object.
  private static final class Frame {
    final Node node;
    final int index;
    final Frame next;

    Frame(FrameKey key) {
      node = key.node;
      index = key.index;
      next = key.next;
    }
  }

  private record StateKey(Set<Frame> ways, boolean complete) {}

  /** How far a text has come. */
  static final class State {
    private final Frame[] ways; // each at a literal or a set of bytes
    private final State[] next = new State[256];
    private final boolean complete;

    private State(Frame[] ways, boolean complete) {
      this.ways = ways;
      this.complete = complete;
    }

    /** Whether the text may end here. */
    boolean isComplete() {
      return complete;
    }

    /** Whether it cannot go on. */
    boolean isExhausted() {
      return ways.length == 0;
    }
  }

  /** The beginning. */
  State start() {
    return start;
  }

  /**
   * The state behind a byte; {@link #DEAD} if it cannot follow.
   *
   * @throws IllegalArgumentException if the grammar leaves too many ways to understand the text
   */
  State step(State state, byte value) {
    int index = value & 0xff;
    State known = state.next[index];
    return known != null ? known : (state.next[index] = compute(state, index));
  }

  private State compute(State state, int value) {
    if (states.size() > MOST_STATES || frames.size() > MOST_FRAMES) {
      // Equal states that are made from here on are other objects, which costs time alone.
      states.clear();
      frames.clear();
    }
    Expansion expansion = new Expansion();
    for (Frame way : state.ways) {
      switch (way.node) {
        case Node.Literal literal when (literal.bytes[way.index] & 0xff) == value ->
            expansion.goOn(literal, way.index + 1, literal.bytes.length, way.next);
        case Node.OneByte one when one.set.contains(value) -> expansion.resume(way.next);
        default -> {}
      }
    }
    return expansion.state();
  }

  /** Collects the ways from some places to the next byte. */
  private final class Expansion {
    private final Set<Frame> ways = new LinkedHashSet<>();
    // What has been gone into once gives nothing new the second time.
    private final Set<FrameKey> entered = new HashSet<>();
    private final Set<Frame> resumed = new HashSet<>();
    private boolean complete;

    State state() {
      if (ways.size() > MOST_WAYS) {
        throw new IllegalArgumentException(
            "schema: expected alternatives that a text soon tells apart, found more than %d left"
                .formatted(MOST_WAYS));
      }
      return ways.isEmpty() && !complete
          ? DEAD
          : states.computeIfAbsent(
              new StateKey(ways, complete), key -> new State(ways.toArray(Frame[]::new), complete));
    }

    void enter(Node node, Frame next) {
      switch (node) {
        case Node.Literal literal -> ways.add(frame(literal, 0, next));
        case Node.OneByte one -> ways.add(frame(one, 0, next));
        case Node.Sequence sequence -> sequence(sequence, 0, next);
        case Node.Choice choice -> {
          if (entered.add(new FrameKey(choice, 0, next))) {
            choice.options.forEach(option -> enter(option, next));
          }
        }
        case Node.Repeat repeat -> repeat(repeat, 0, next);
        case Node.Reference reference -> enter(reference.target, next);
      }
    }

    /** Goes on with what follows. */
    void resume(Frame following) {
      if (!resumed.add(following)) {
        return;
      }
      switch (following == null ? null : following.node) {
        case null -> complete = true;
        case Node.Sequence sequence -> sequence(sequence, following.index, following.next);
        case Node.Repeat repeat -> repeat(repeat, following.index, following.next);
        default -> throw new AssertionError(following.node);
      }
    }

    void goOn(Node.Literal literal, int index, int end, Frame next) {
      if (index < end) {
        ways.add(frame(literal, index, next));
      } else {
        resume(next);
      }
    }

    private void sequence(Node.Sequence sequence, int index, Frame next) {
      int last = sequence.items.size() - 1;
      if (index > last) {
        resume(next);
      } else {
        // The last item is followed by what follows the sequence: stacks stay short.
        enter(sequence.items.get(index), index == last ? next : frame(sequence, index + 1, next));
      }
    }

    private void repeat(Node.Repeat repeat, int count, Frame next) {
      if (count >= repeat.min) {
        resume(next);
      }
      if (count < repeat.max) {
        boolean counts = repeat.max != Node.Repeat.UNBOUNDED || count < repeat.min;
        enter(repeat.item, frame(repeat, counts ? count + 1 : count, next));
      }
    }

    private Frame frame(Node node, int index, Frame next) {
      return frames.computeIfAbsent(new FrameKey(node, index, next), Frame::new);
    }
  }
}
