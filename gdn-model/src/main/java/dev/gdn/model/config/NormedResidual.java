package dev.gdn.model.config;

import java.util.EnumSet;
import java.util.Set;

/**
 * One stream: x + block(norm(x)), or x + norm(block(x)).
 *
 * @param normedOutputs the layers, by how they mix tokens, that have their norms after the blocks
 */
public record NormedResidual(Set<LayerType> normedOutputs) implements ResidualConfig {
  /** Norms before the blocks in all layers. */
  public static final NormedResidual BEFORE = new NormedResidual(EnumSet.noneOf(LayerType.class));

  /** Copies the set. */
  public NormedResidual {
    normedOutputs = Set.copyOf(normedOutputs);
  }
}
