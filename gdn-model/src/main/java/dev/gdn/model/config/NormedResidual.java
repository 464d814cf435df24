package dev.gdn.model.config;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import java.util.TreeSet;

/**
 * One stream: x + block(norm(x)), or x + norm(block(x)).
 *
 * @param normedOutputs the layers, by how they mix tokens, that have their norms after the blocks
 */
public record NormedResidual(Set<LayerType> normedOutputs) implements ResidualConfig {
  /** Norms before the blocks in all layers. */
  public static final NormedResidual BEFORE = new NormedResidual(EnumSet.noneOf(LayerType.class));

  /** Copies the set, in the order of the types: that of another set may differ by process. */
  public NormedResidual {
    normedOutputs = Collections.unmodifiableSet(new TreeSet<>(normedOutputs));
  }
}
