package dev.gdn.model.schema;

import java.util.List;

/** Makes grammars of JSON objects. */
final class ObjectGrammar {
  /**
   * A property that is known by name.
   *
   * @param node its name, the colon and its value
   */
  record Property(Node node, boolean required) {}

  private ObjectGrammar() {}

  /** An object of properties in order. */
  static Node of(List<Property> properties) {
    return Nodes.sequence(
        Nodes.text("{"), Nodes.SPACE, list(properties), Nodes.SPACE, Nodes.text("}"));
  }

  /** Properties in order, optional ones or not, with commas between those that are there. */
  private static Node list(List<Property> properties) {
    Node first = Node.EMPTY; // from here on, where none has come before
    Node further = Node.EMPTY; // where one has
    for (Property property : properties.reversed()) {
      Node begun = Nodes.sequence(property.node, further);
      first = property.required ? begun : Nodes.choice(begun, first);
      Node more = Nodes.sequence(Nodes.text(","), Nodes.SPACE, property.node);
      Node there = property.required ? more : Nodes.choice(more, Node.EMPTY);
      further = Nodes.sequence(there, further);
    }
    return first;
  }

  /** An object of properties with any names. */
  static Node map(Node value) {
    Node property =
        Nodes.sequence(Nodes.string(0, Node.Repeat.UNBOUNDED), Nodes.text(":"), Nodes.SPACE, value);
    Node more = Nodes.sequence(Nodes.text(","), Nodes.SPACE, property);
    Node all = Nodes.sequence(property, new Node.Repeat(more, 0, Node.Repeat.UNBOUNDED));
    return Nodes.sequence(
        Nodes.text("{"), Nodes.SPACE, Nodes.choice(Node.EMPTY, all), Nodes.SPACE, Nodes.text("}"));
  }
}
