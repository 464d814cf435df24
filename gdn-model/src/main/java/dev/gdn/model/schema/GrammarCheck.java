package dev.gdn.model.schema;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Finds grammars that match no text: those that refer to themselves and never come to an end. */
final class GrammarCheck {
  private final Map<Node, List<Node>> users = new IdentityHashMap<>(); // of every node
  private final Set<Node> finite = Collections.newSetFromMap(new IdentityHashMap<>());

  private GrammarCheck() {}

  /**
   * @throws IllegalArgumentException if a node refers to itself without a byte between, or nothing
   *     is matched
   */
  static void check(Node grammar) {
    GrammarCheck check = new GrammarCheck();
    check.collect(grammar);
    for (Node node : check.users.keySet()) {
      if (node instanceof Node.Reference reference) {
        check.requireProgress(reference);
      }
    }
    check.findFinite();
    if (!check.finite.contains(grammar)) {
      throw new IllegalArgumentException(
          "schema: expected one that some JSON is valid by, found that each value would have to"
              + " hold another one without end");
    }
  }

  private void collect(Node grammar) {
    users.put(grammar, new ArrayList<>());
    List<Node> open = new ArrayList<>(List.of(grammar));
    while (!open.isEmpty()) {
      Node node = open.removeLast();
      for (Node part : parts(node)) {
        if (!users.containsKey(part)) {
          users.put(part, new ArrayList<>());
          open.add(part);
        }
        users.get(part).add(node);
      }
    }
  }

  // A node that comes to an end may bring those to an end that use it.
  private void findFinite() {
    Deque<Node> open = new ArrayDeque<>(users.keySet());
    while (!open.isEmpty()) {
      Node node = open.remove();
      if (becomesFinite(node)) {
        open.addAll(users.get(node));
      }
    }
  }

  private static List<Node> parts(Node node) {
    return switch (node) {
      case Node.Literal literal -> List.of();
      case Node.OneByte one -> List.of();
      case Node.Sequence sequence -> sequence.items;
      case Node.Choice choice -> choice.options;
      case Node.Repeat repeat -> List.of(repeat.item);
      case Node.Reference reference -> List.of(reference.target);
    };
  }

  // Only references and choices lead to a value without a byte before it.
  private void requireProgress(Node.Reference from) {
    Set<Node> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    List<Node> open = new ArrayList<>(List.of(from.target));
    while (!open.isEmpty()) {
      Node node = open.removeLast();
      if (node == from) {
        throw new IllegalArgumentException(
            "schema: expected a value behind each $ref, found one that leads back to itself");
      }
      if (seen.add(node) && (node instanceof Node.Reference || node instanceof Node.Choice)) {
        open.addAll(parts(node));
      }
    }
  }

  private boolean becomesFinite(Node node) {
    boolean ends =
        switch (node) {
          case Node.Literal literal -> true;
          case Node.OneByte one -> true;
          case Node.Sequence sequence -> finite.containsAll(sequence.items);
          case Node.Choice choice -> choice.options.stream().anyMatch(finite::contains);
          case Node.Repeat repeat -> repeat.min == 0 || finite.contains(repeat.item);
          case Node.Reference reference -> finite.contains(reference.target);
        };
    return ends && finite.add(node);
  }
}
