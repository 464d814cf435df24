package dev.gdn.kernels.vector;

import static dev.gdn.kernels.vector.Tiles.ROWS;

import dev.gdn.core.kernel.RuleCall;

/**
 * The chunk form of the gated delta rule for one key head and its value heads, with the scratch of
 * one worker.
 */
final class ChunkForm {
  private final ChunkKeys keys = new ChunkKeys();
  private final ChunkDecay decay = new ChunkDecay();
  private final ChunkSweep sweep = new ChunkSweep();

  /**
   * Runs all tokens of a key head, for some value columns.
   *
   * @param slice of {@code slices} that the panels of columns are dealt out to
   */
  void run(RuleCall call, int total, int keyHead, int slice, int slices) {
    int chunk = call.parameters().chunk();
    int rows = Lanes.roundUp(Math.min(chunk, total), ROWS);
    keys.reserve(rows, call.keyWidth());
    decay.reserve(call, rows, keys.stride);
    sweep.begin(call, keyHead, rows, keys.stride, slice, slices);
    for (int first = 0; first < total; first += chunk) {
      int tokens = Math.min(chunk, total - first);
      keys.load(call, keyHead, first, tokens);
      for (int n = 0; n < call.group(); n++) {
        decay.load(call, keys, call.valueHead(keyHead, n), first, tokens);
        sweep.run(call, decay, keyHead, n, first, tokens);
      }
    }
    sweep.end(call, keyHead);
  }
}
