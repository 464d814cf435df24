package dev.gdn.model.checkpoint;

import dev.gdn.core.rule.HeadMapping;
import dev.gdn.core.tensor.WeightMatrix;
import dev.gdn.model.config.LinearAttentionConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The input projections of a gated delta layer. Qwen3.5 stores those of queries, keys and values as
 * one, Olmo-Hybrid and Kimi Linear each by itself. Qwen3-Next stores {@code in_proj_qkvz}, where
 * for one key head after the other stand the rows of its query, of its key, of the values and of
 * the output gates of its value heads; and {@code in_proj_ba}, where stand the rows of beta and of
 * the decay gate's input, in the same way. These become views of their rows; that order is one of
 * grouped value heads, and a checkpoint that tiles them has no such tensors. In Kimi Linear the
 * gates' projections are of low rank: products of two. Safe to share.
 *
 * @param qkv {@code [2 · H·K + HV·V, hidden]}: queries, keys, values
 * @param z {@code [HV·V, hidden]}: the output gate
 * @param beta {@code [HV, hidden]}
 * @param alpha {@code [HV, hidden]}: input of the decay gate; with a decay per key channel {@code
 *     [HV·K, hidden]}
 * @param lowRank what comes before {@code z} and {@code alpha}, if these are of low rank; their
 *     columns are then the rank's
 */
public record DeltaProjections(
    RowPieces qkv, RowPieces z, RowPieces beta, RowPieces alpha, Optional<LowRank> lowRank) {
  /**
   * The first factors of low-rank projections.
   *
   * @param z {@code [rank, hidden]}
   * @param alpha {@code [rank, hidden]}
   */
  public record LowRank(WeightMatrix z, WeightMatrix alpha) {}

  /**
   * Finds the projections of a layer.
   *
   * @param prefix of the layer's tensors, for example {@code layers.0.linear_attn.}
   * @throws dev.gdn.model.error.CheckpointException if one is missing or has another shape
   */
  public static DeltaProjections require(
      WeightSource source, String prefix, LinearAttentionConfig c, int hidden) {
    return switch (c.variant().decay()) {
      case PER_HEAD -> perHead(source, prefix, c, hidden);
      case PER_KEY_CHANNEL -> perChannel(source, prefix, c, hidden);
    };
  }

  private static DeltaProjections perHead(
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
      qkv = queriesKeysValues(source, prefix, c, hidden);
      z = whole(source, prefix + "in_proj_z.weight", c.valueSize(), hidden);
    }
    RowPieces beta;
    RowPieces alpha;
    Optional<WeightMatrix> ba =
        findInterleaved(source, prefix + "in_proj_ba.weight", 2L * c.valueHeads(), hidden);
    if (ba.isPresent()) {
      List<List<WeightMatrix>> parts = split(ba.get(), c.keyHeads(), group, group);
      beta = joined(parts.subList(0, 1));
      alpha = joined(parts.subList(1, 2));
    } else {
      beta = whole(source, prefix + "in_proj_b.weight", c.valueHeads(), hidden);
      alpha = whole(source, prefix + "in_proj_a.weight", c.valueHeads(), hidden);
    }
    return new DeltaProjections(qkv, z, beta, alpha, Optional.empty());
  }

  private static DeltaProjections perChannel(
      WeightSource source, String prefix, LinearAttentionConfig c, int hidden) {
    int rank = c.gateRank();
    return new DeltaProjections(
        queriesKeysValues(source, prefix, c, hidden),
        whole(source, prefix + "g_b_proj.weight", c.valueSize(), rank),
        whole(source, prefix + "in_proj_b.weight", c.valueHeads(), hidden),
        whole(source, prefix + "f_b_proj.weight", c.decaySize(), rank),
        Optional.of(
            new LowRank(
                source.require(prefix + "g_a_proj.weight", rank, hidden).toMatrix(),
                source.require(prefix + "f_a_proj.weight", rank, hidden).toMatrix())));
  }

  private static RowPieces queriesKeysValues(
      WeightSource source, String prefix, LinearAttentionConfig c, int hidden) {
    String query = prefix + "q_proj.weight";
    String key = prefix + "k_proj.weight";
    String value = prefix + "v_proj.weight";
    boolean separate =
        Stream.of(query, key, value).anyMatch(name -> source.shape(name).isPresent());
    if (!separate) {
      return whole(source, prefix + "in_proj_qkv.weight", c.convolutionChannels(), hidden);
    }
    return new RowPieces(
        List.of(
            source.require(query, c.keySize(), hidden).toMatrix(),
            source.require(key, c.keySize(), hidden).toMatrix(),
            source.require(value, c.valueSize(), hidden).toMatrix()));
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
