package dev.gdn.model.checkpoint;

import dev.gdn.core.rule.HeadMapping;
import dev.gdn.core.tensor.WeightMatrix;
import dev.gdn.model.config.LinearAttentionConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The input projections of a gated delta layer. Qwen3.5 stores each by itself. Qwen3-Next stores
 * {@code in_proj_qkvz}, where for one key head after the other stand the rows of its query, of its
 * key, of the values and of the output gates of its value heads; and {@code in_proj_ba}, where
 * stand the rows of beta and of the decay gate's input, in the same way. These become views of
 * their rows. That order is one of grouped value heads; a checkpoint that tiles them has no such
 * tensors. Safe to share.
 *
 * @param qkv {@code [2 · H·K + HV·V, hidden]}: queries, keys, values
 * @param z {@code [HV·V, hidden]}: the output gate
 * @param beta {@code [HV, hidden]}
 * @param alpha {@code [HV, hidden]}: input of the decay gate
 */
public record DeltaProjections(RowPieces qkv, RowPieces z, RowPieces beta, RowPieces alpha) {
  /**
   * Finds the projections of a layer.
   *
   * @param prefix of the layer's tensors, for example {@code layers.0.linear_attn.}
   * @throws dev.gdn.model.error.CheckpointException if one is missing or has another shape
   */
  public static DeltaProjections require(
      WeightSource source, String prefix, LinearAttentionConfig c, int hidden) {
    int group = c.valueHeads() / c.keyHeads();
    int values = group * c.valueWidth();
    RowPieces qkv;
    RowPieces z;
    Optional<WeightMatrix> qkvz =
        findInterleaved(
            source, prefix + "in_proj_qkvz.weight", 2L * (c.keySize() + c.valueSize()), hidden);
    if (qkvz.isPresent()) {
      List<List<WeightMatrix>> parts =
          split(qkvz.get(), c.keyHeads(), c.keyWidth(), c.keyWidth(), values, values);
      qkv = joined(parts.subList(0, 3));
      z = joined(parts.subList(3, 4));
    } else {
      qkv = whole(source, prefix + "in_proj_qkv.weight", c.convolutionChannels(), hidden);
      z = whole(source, prefix + "in_proj_z.weight", c.valueSize(), hidden);
    }
    Optional<WeightMatrix> ba =
        findInterleaved(source, prefix + "in_proj_ba.weight", 2L * c.valueHeads(), hidden);
    if (ba.isPresent()) {
      List<List<WeightMatrix>> parts = split(ba.get(), c.keyHeads(), group, group);
      return new DeltaProjections(qkv, z, joined(parts.subList(0, 1)), joined(parts.subList(1, 2)));
    }
    return new DeltaProjections(
        qkv,
        z,
        whole(source, prefix + "in_proj_b.weight", c.valueHeads(), hidden),
        whole(source, prefix + "in_proj_a.weight", c.valueHeads(), hidden));
  }

  private static Optional<WeightMatrix> findInterleaved(
      WeightSource source, String name, long rows, int columns) {
    return source.headMapping() == HeadMapping.GROUPED
        ? source.find(name, rows, columns).map(tensor -> tensor.toMatrix())
        : Optional.empty();
  }

  private static RowPieces whole(WeightSource source, String name, int rows, int columns) {
    return RowPieces.of(source.require(name, rows, columns).toMatrix());
  }

  /** For each width, that many rows of every head, in the order of heads. */
  private static List<List<WeightMatrix>> split(WeightMatrix matrix, int heads, int... widths) {
    List<List<WeightMatrix>> parts = new ArrayList<>();
    for (int i = 0; i < widths.length; i++) {
      parts.add(new ArrayList<>());
    }
    int row = 0;
    for (int h = 0; h < heads; h++) {
      for (int i = 0; i < widths.length; i++) {
        parts.get(i).add(matrix.slice(row, widths[i]));
        row += widths[i];
      }
    }
    return parts;
  }

  private static RowPieces joined(List<List<WeightMatrix>> parts) {
    return new RowPieces(parts.stream().flatMap(List::stream).toList());
  }
}
