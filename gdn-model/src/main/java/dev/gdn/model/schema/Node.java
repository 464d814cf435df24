package dev.gdn.model.schema;

import java.util.List;

/**
 * A part of a grammar over bytes. Nodes are told apart by identity, for a grammar may refer back to
 * itself.
 */
sealed interface Node {
  /** Matches nothing, and goes on. */
  Node EMPTY = new Sequence(List.of());

  /** These bytes, at least one. */
  final class Literal implements Node {
    final byte[] bytes;

    Literal(byte... bytes) {
      this.bytes = bytes;
    }
  }

  /** One byte of a set. */
  final class OneByte implements Node {
    final ByteSet set;

    OneByte(ByteSet set) {
      this.set = set;
    }
  }

  /** These one after another. */
  final class Sequence implements Node {
    final List<Node> items;

    Sequence(List<Node> items) {
      this.items = List.copyOf(items);
    }
  }

  /** One of these. */
  final class Choice implements Node {
    final List<Node> options;

    Choice(List<Node> options) {
      this.options = List.copyOf(options);
    }
  }

  /** The item, which matches at least a byte, from min to max times. */
  final class Repeat implements Node {
    /** No upper bound. */
    static final int UNBOUNDED = Integer.MAX_VALUE;

    final Node item;
    final int min;
    final int max;

    Repeat(Node item, int min, int max) {
      this.item = item;
      this.min = min;
      this.max = max;
    }
  }

  /** Another node, which may be set later, once. */
  final class Reference implements Node {
    Node target;
  }
}
