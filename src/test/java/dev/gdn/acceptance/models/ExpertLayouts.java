package dev.gdn.acceptance.models;

import dev.gdn.core.tensor.Shape;
import java.util.stream.IntStream;

/** The experts of the tiny mixtures, laid out in the ways that checkpoints have them. */
final class ExpertLayouts {
  static final int EXPERTS = 8;
  static final int LAYERS = 4;

  private ExpertLayouts() {}

  static String name(int layer, int expert, String matrix) {
    return "model.layers.%d.mlp.experts.%d.%s.weight".formatted(layer, expert, matrix);
  }

  /** Puts a matrix of all experts of a layer into one tensor. */
  static void stack(HubCopy copy, int layer, String matrix, String target, int rows, int columns) {
    String[] parts =
        IntStream.range(0, EXPERTS).mapToObj(e -> name(layer, e, matrix)).toArray(String[]::new);
    Shape shape = new Shape(EXPERTS, rows, columns);
    copy.join("model.layers.%d.mlp.experts.%s".formatted(layer, target), shape, parts);
  }

  /** The layers that have experts. */
  private static int[] layers(HubCopy copy) {
    return IntStream.range(0, LAYERS).filter(i -> copy.has(name(i, 0, "down_proj"))).toArray();
  }

  static void joinGateAndUp(HubCopy copy) {
    for (int layer : layers(copy)) {
      for (int e = 0; e < EXPERTS; e++) {
        String gate = name(layer, e, "gate_proj");
        copy.join(
            name(layer, e, "gate_up_proj"), new Shape(64, 64), gate, name(layer, e, "up_proj"));
      }
    }
  }

  /** Stacks with gate and up as one, as Qwen3.5 is published in BF16. */
  static HubCopy stackAll(HubCopy copy) {
    joinGateAndUp(copy);
    for (int layer : layers(copy)) {
      stack(copy, layer, "gate_up_proj", "gate_up_proj", 64, 64);
      stack(copy, layer, "down_proj", "down_proj", 64, 32);
    }
    return copy;
  }
}
