package dev.gdn.model.checkpoint;

import dev.gdn.core.tensor.StoredTensor;
import dev.gdn.core.tensor.WeightMatrix;
import dev.gdn.model.config.MixtureOfExperts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The matrices of a layer's experts, in order. A checkpoint stores them as a stack, {@code
 * experts.down_proj}, or one by one, {@code experts.7.down_proj.weight}; gate and up by themselves
 * or as one, {@code gate_up_proj}, with the rows of the gate first. They are views of what is
 * mapped. Safe to share.
 *
 * @param gate {@code [intermediate, hidden]} of each
 * @param up {@code [intermediate, hidden]} of each
 * @param down {@code [hidden, intermediate]} of each
 */
public record ExpertMatrices(
    List<WeightMatrix> gate, List<WeightMatrix> up, List<WeightMatrix> down) {
  /** Copies the lists. */
  public ExpertMatrices {
    gate = List.copyOf(gate);
    up = List.copyOf(up);
    down = List.copyOf(down);
  }

  /**
   * Finds the experts of a layer.
   *
   * @param prefix of the layer's tensors, for example {@code layers.0.mlp.}
   * @throws dev.gdn.model.error.CheckpointException if one is missing or has another shape
   */
  public static ExpertMatrices require(
      WeightSource source, String prefix, MixtureOfExperts c, int hidden) {
    int width = c.intermediateSize();
    Finder finder = new Finder(source, prefix + "experts.", c.experts());
    List<WeightMatrix> down = finder.require("down_proj", hidden, width);
    Optional<List<WeightMatrix>> fused = finder.find("gate_up_proj", 2 * width, hidden);
    if (fused.isPresent()) {
      return new ExpertMatrices(
          fused.get().stream().map(matrix -> matrix.slice(0, width)).toList(),
          fused.get().stream().map(matrix -> matrix.slice(width, width)).toList(),
          down);
    }
    return new ExpertMatrices(
        finder.require("gate_proj", width, hidden), finder.require("up_proj", width, hidden), down);
  }

  private record Finder(WeightSource source, String prefix, int experts) {
    Optional<List<WeightMatrix>> find(String name, int rows, int columns) {
      Optional<StoredTensor> stack =
          source
              .find(prefix + name, experts, rows, columns)
              .or(() -> source.find(prefix + name + ".weight", experts, rows, columns));
      if (stack.isPresent()) {
        return Optional.of(stack.get().toMatrices());
      }
      Optional<StoredTensor> first = source.find(numbered(0, name), rows, columns);
      if (first.isEmpty()) {
        return Optional.empty();
      }
      List<WeightMatrix> matrices = new ArrayList<>();
      matrices.add(first.get().toMatrix());
      for (int e = 1; e < experts; e++) {
        matrices.add(source.require(numbered(e, name), rows, columns).toMatrix());
      }
      return Optional.of(matrices);
    }

    List<WeightMatrix> require(String name, int rows, int columns) {
      return find(name, rows, columns)
          .orElseGet(() -> source.require(prefix + name, experts, rows, columns).toMatrices());
    }

    private String numbered(int expert, String name) {
      return prefix + expert + "." + name + ".weight";
    }
  }
}
