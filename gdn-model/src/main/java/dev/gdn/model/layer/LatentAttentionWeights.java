package dev.gdn.model.layer;

import dev.gdn.core.kernel.NormWeights;
import dev.gdn.core.tensor.DataType;
import dev.gdn.core.tensor.WeightMatrix;
import dev.gdn.model.checkpoint.WeightSource;
import dev.gdn.model.config.LatentAttentionConfig;
import dev.gdn.model.config.ModelConfig;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * The weights of a latent attention layer's token mixer. What makes keys of latent vectors is
 * turned, so that it takes queries to where the latent vectors are: a copy, outside the heap.
 *
 * @param query {@code [heads · (own + shared key width), hidden]}: for each head the part for its
 *     own keys, then that for the shared ones
 * @param latent {@code [latent + shared key width, hidden]}: the latent vector, then the key that
 *     all heads share
 * @param latentNorm of the latent vector
 * @param keys of each head, {@code [latent, own key width]}
 * @param values of each head, {@code [value width, latent]}
 * @param out {@code [hidden, heads · value width]}
 */
record LatentAttentionWeights(
    WeightMatrix query,
    WeightMatrix latent,
    NormWeights latentNorm,
    List<WeightMatrix> keys,
    List<WeightMatrix> values,
    WeightMatrix out)
    implements MixerWeights {

  static LatentAttentionWeights bind(
      ModelConfig config, LatentAttentionConfig c, WeightSource source, String layer) {
    int hidden = config.hiddenSize();
    String prefix = layer + "self_attn.";
    int rows = c.ownKeyWidth() + c.valueWidth();
    WeightMatrix keysAndValues =
        source
            .require(prefix + "kv_b_proj.weight", (long) c.heads() * rows, c.latentWidth())
            .toMatrix();
    List<WeightMatrix> keys = new ArrayList<>();
    List<WeightMatrix> values = new ArrayList<>();
    for (int h = 0; h < c.heads(); h++) {
      keys.add(transposed(keysAndValues.slice(h * rows, c.ownKeyWidth())));
      values.add(keysAndValues.slice(h * rows + c.ownKeyWidth(), c.valueWidth()));
    }
    return new LatentAttentionWeights(
        source
            .require(prefix + "q_proj.weight", (long) c.heads() * c.keyWidth(), hidden)
            .toMatrix(),
        source.require(prefix + "kv_a_proj_with_mqa.weight", c.cacheWidth(), hidden).toMatrix(),
        new NormWeights(
            source.require(prefix + "kv_a_layernorm.weight", c.latentWidth()).toFloats(),
            (float) c.latentNormEpsilon(),
            source.zeroCentredNorms()),
        List.copyOf(keys),
        List.copyOf(values),
        source
            .require(prefix + "o_proj.weight", hidden, (long) c.heads() * c.valueWidth())
            .toMatrix());
  }

  private static WeightMatrix transposed(WeightMatrix matrix) {
    int rows = matrix.rows();
    int columns = matrix.columns();
    MemorySegment data = Arena.ofAuto().allocate((long) rows * columns * Float.BYTES, Float.BYTES);
    float[] row = new float[columns];
    for (int r = 0; r < rows; r++) {
      matrix.decodeRow(r, row, 0);
      for (int c = 0; c < columns; c++) {
        data.setAtIndex(ValueLayout.JAVA_FLOAT_UNALIGNED, (long) c * rows + r, row[c]);
      }
    }
    return new WeightMatrix(matrix.name(), DataType.F32, columns, rows, data.asReadOnly());
  }
}
