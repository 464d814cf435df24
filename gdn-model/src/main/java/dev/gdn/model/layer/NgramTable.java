package dev.gdn.model.layer;

import dev.gdn.core.tensor.WeightMatrix;
import dev.gdn.model.checkpoint.WeightSource;
import dev.gdn.model.config.NgramConfig;
import dev.gdn.model.error.CheckpointException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The n-gram embedding of a layer, which stays where it is mapped: rows are read one by one.
 *
 * @param parts one below the other
 * @param firstRows the first row of each part
 */
record NgramTable(List<WeightMatrix> parts, int[] firstRows) {
  /**
   * Binds the tables of a layer, in as many parts as the configuration says.
   *
   * @param prefix of their names, for example {@code layers.1.ple.ple_embedding.ngram_embedding.}
   */
  static NgramTable bind(WeightSource source, String prefix, NgramConfig config, int layer) {
    List<WeightMatrix> parts = new ArrayList<>();
    int[] firstRows = new int[config.parts()];
    long rows = config.rows(layer);
    long found = 0;
    for (int i = 0; i < config.parts(); i++) {
      String name = prefix + "shard_" + i + ".weight";
      // Parts may be of any length, as long as there are as many rows in all.
      long expected = Math.ceilDiv(rows, config.parts());
      long length =
          source.shape(name).filter(s -> s.rank() == 2).map(s -> s.dimension(0)).orElse(expected);
      if (found + length > rows || i == config.parts() - 1 && found + length < rows) {
        throw new CheckpointException(
            source.location(),
            "tensor " + name,
            "expected n-gram tables of %d rows in %d parts, found %d rows up to part %d"
                .formatted(rows, config.parts(), found + length, i));
      }
      parts.add(source.require(name, length, config.headWidth()).toMatrix());
      firstRows[i] = (int) found;
      found += length;
    }
    return new NgramTable(List.copyOf(parts), firstRows);
  }

  /**
   * Decodes one row.
   *
   * @param target takes the head's width from {@code offset} on
   */
  void decodeRow(int row, float[] target, int offset) {
    int found = Arrays.binarySearch(firstRows, row);
    int part = found >= 0 ? found : -found - 2;
    parts.get(part).decodeRow(row - firstRows[part], target, offset);
  }
}
