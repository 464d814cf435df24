package dev.gdn.model.checkpoint;

import dev.gdn.core.tensor.DataType;
import dev.gdn.core.tensor.Shape;

/**
 * What the matrices of a checkpoint in floating point may be quantised to while they are loaded.
 * The embedding and the head are among them. As in llama.cpp, vectors, convolutions and the gates
 * that choose experts stay as they are, and so does a matrix whose rows are no whole number of
 * blocks.
 */
public enum Quantization {
  /** About 8.5 bits a weight. */
  Q8_0(DataType.Q8_0),
  /** 4.5 bits a weight. */
  Q4_0(DataType.Q4_0);

  private final DataType type;

  Quantization(DataType type) {
    this.type = type;
  }

  /** How the matrices are held. */
  public DataType type() {
    return type;
  }

  /** Whether a weight of a name, as {@link WeightSource} has it, is quantised. */
  boolean covers(String name, Shape shape) {
    return shape.rank() >= 2
        && shape.dimension(shape.rank() - 1) % type.blockElements() == 0
        && !name.endsWith("conv1d.weight")
        && !name.endsWith("mlp.gate.weight")
        && !name.endsWith("shared_expert_gate.weight");
  }
}
