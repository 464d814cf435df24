package dev.gdn.model.checkpoint;

import dev.gdn.core.kernel.DecayGateWeights;
import dev.gdn.core.rule.HeadMapping;
import dev.gdn.core.tensor.DataType;
import dev.gdn.core.tensor.Shape;
import dev.gdn.core.tensor.StoredTensor;
import dev.gdn.model.error.CheckpointException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/**
 * The weights of one checkpoint by name. They are mapped and not copied, but where {@link
 * LoadOptions} say otherwise or kernels do not compute with what is stored. Names are those of hub
 * checkpoints without the prefix that says where the text model sits: {@code embed_tokens.weight},
 * {@code norm.weight}, {@code lm_head.weight}, {@code layers.3.self_attn.q_proj.weight}, {@code
 * layers.0.linear_attn.in_proj_qkv.weight}.
 *
 * <p>A model is loaded by one thread; the tensors it got are then safe to share, until the source
 * is closed: reading one after that throws {@link IllegalStateException}.
 */
public interface WeightSource extends AutoCloseable {
  /** The folder or file, for messages. */
  Path location();

  /**
   * A tensor that must be there.
   *
   * @param shape the dimensions it must have, outermost first
   * @throws CheckpointException if it is missing, has another shape or no type of a weight
   */
  StoredTensor require(String name, long... shape);

  /**
   * A tensor that may be there.
   *
   * @param shape the dimensions it must have, outermost first
   * @throws CheckpointException if it is there with another shape or no type of a weight
   */
  Optional<StoredTensor> find(String name, long... shape);

  /**
   * A tensor of integers that may be there.
   *
   * @throws CheckpointException if it is there and of no integer type
   */
  default Optional<long[]> integers(String name) {
    return Optional.empty();
  }

  /** The shape of a tensor, if it is there: what tells layouts apart. */
  Optional<Shape> shape(String name);

  /**
   * The decay gate of a linear-attention layer. Formats differ in what they store of its rate.
   *
   * @param prefix of the layer's tensors, for example {@code layers.0.linear_attn.}
   * @param heads value heads
   * @throws CheckpointException if a tensor is missing, has another shape or no type of a weight
   */
  DecayGateWeights decayGate(String prefix, int heads);

  /**
   * Called when a model has all it needs: a tensor that nobody asked for means that the checkpoint
   * is of another make than its configuration says. Nothing is to be asked for after that.
   *
   * @throws CheckpointException naming a tensor that was not asked for and is no known extra, or if
   *     weights were to be quantised and there are none in floating point
   */
  void refuseUnused();

  /** What the large matrices that were asked for are stored as, once they are loaded. */
  Set<DataType> matrixTypes();

  /** Whether the weights of RMSNorm are stored minus one; those of the gated norm never are. */
  boolean zeroCentredNorms();

  /** Which key head a value head of linear attention uses. */
  HeadMapping headMapping();

  /**
   * What tells these weights from others, 32 bytes: a hash of the names, types and shapes of all
   * tensors in the files and of samples of their bytes.
   */
  byte[] fingerprint();

  /** Unmaps the weights. May be called again. */
  @Override
  void close();
}
