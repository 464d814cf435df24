package dev.gdn.model.layer;

import dev.gdn.core.kernel.CachePage;
import dev.gdn.core.kernel.Kernels;
import dev.gdn.core.kernel.KeyValueCache;
import dev.gdn.core.kernel.Projection;
import dev.gdn.core.kernel.RotaryAngles;
import dev.gdn.core.kernel.RotaryEmbedding;
import dev.gdn.core.tensor.Rows;
import dev.gdn.core.tensor.TokenTensor;
import dev.gdn.model.config.IndexerConfig;
import java.util.Arrays;

/**
 * Chooses the tokens that a token of a sparse attention layer attends to. The past is cut into
 * blocks of B tokens; with k̄_b the mean of a block's keys, normalised and turned to where the
 * block begins,
 *
 * <pre>score_b = Σ_h relu(q_h·k̄_b)</pre>
 *
 * ranks the whole blocks. Chosen are the tokens of the best ones and those after the last whole
 * block.
 */
final class BlockIndexer {
  private final IndexerWeights weights;
  private final IndexerConfig config;
  private final Kernels kernels;
  private final RotaryEmbedding rotary;
  private final RotaryAngles angles;
  private final IndexedAttentionState state;
  private final TokenTensor queries;
  private final TokenTensor rawKey;
  private final TokenTensor blockKey;
  private final RotaryAngles blockAngles;
  private final Projection[] in;
  private final int[] chosen;
  private final HighestScores highest = new HighestScores();
  private float[] scores = {};

  /**
   * @param rotary what turns queries and keys; null if nothing does
   * @param angles of the block of tokens; null if nothing is turned
   * @param tokens most of a block
   */
  BlockIndexer(
      IndexerWeights weights,
      IndexerConfig config,
      Kernels kernels,
      RotaryEmbedding rotary,
      RotaryAngles angles,
      IndexedAttentionState state,
      int tokens) {
    this.weights = weights;
    this.config = config;
    this.kernels = kernels;
    this.rotary = rotary;
    this.angles = angles;
    this.state = state;
    int width = config.headWidth();
    TokenTensor queriesAndKey = TokenTensor.zeros(tokens, (config.heads() + 1) * width);
    this.queries = queriesAndKey.columns(0, config.heads(), width);
    this.rawKey = queriesAndKey.columns(config.heads() * width, 1, width);
    this.blockKey = TokenTensor.zeros(1, width);
    this.blockAngles = rotary == null ? null : new RotaryAngles(1, rotary.pairs());
    this.in = new Projection[] {new Projection(weights.queriesAndKey(), queriesAndKey)};
    this.chosen = new int[config.budget() + config.blockTokens() - 1];
  }

  /** How many of the next tokens attend to all before them, if the first stands there. */
  int tokensThatSeeAll(int position, int tokens) {
    long first = (config.chosenBlocks() + 1L) * config.blockTokens() - 1;
    return (int) Math.clamp(first - position, 0L, tokens);
  }

  /**
   * Takes the next tokens.
   *
   * @param x {@code [tokens, hidden]}, normalised
   */
  void take(TokenTensor x, int tokens) {
    kernels.matrix().multiply(x, tokens, in);
    kernels.normalization().rms(weights.queryNorm(), queries, queries, tokens);
    if (rotary != null) {
      kernels.rotation().rotate(angles, queries, tokens);
    }
  }

  /**
   * Adds the key of a token to its block.
   *
   * @param token of those just taken, in order
   * @param position in the sequence
   */
  void addKey(int token, int position) {
    float[] sums = state.partial();
    Rows.addScaled(1, rawKey.data(), rawKey.at(token), sums, 0, sums.length);
    if ((position + 1) % config.blockTokens() != 0) {
      return;
    }
    Rows.scale(1f / config.blockTokens(), sums, 0, blockKey.data(), 0, sums.length);
    Arrays.fill(sums, 0);
    kernels.normalization().rms(weights.keyNorm(), blockKey, blockKey, 1);
    if (rotary != null) {
      rotary.fill(blockAngles, position + 1 - config.blockTokens(), 1);
      kernels.rotation().rotate(blockAngles, blockKey, 1);
    }
    state.blocks().append(blockKey, 1);
  }

  /**
   * Chooses for a token that does not see all.
   *
   * @param token of those just taken, whose key was the last to be added
   * @param position in the sequence
   * @return how many of {@link #chosen()} count, rising
   */
  int choose(int token, int position) {
    int blocks = state.blocks().length();
    score(token, blocks);
    int[] best = highest.select(scores, blocks, config.chosenBlocks());
    int count = 0;
    for (int n = 0; n < config.chosenBlocks(); n++) {
      for (int i = 0; i < config.blockTokens(); i++) {
        chosen[count++] = best[n] * config.blockTokens() + i;
      }
    }
    for (int t = blocks * config.blockTokens(); t <= position; t++) {
      chosen[count++] = t;
    }
    return count;
  }

  /** Positions in the sequence. */
  int[] chosen() {
    return chosen;
  }

  private void score(int token, int blocks) {
    if (scores.length < blocks) {
      scores = new float[2 * blocks];
    }
    int width = config.headWidth();
    for (int b = 0; b < blocks; b++) {
      float[] page = ((CachePage.Floats) state.blocks().keyPage(b / KeyValueCache.PAGE)).data();
      int at = b % KeyValueCache.PAGE * width;
      float sum = 0;
      for (int h = 0; h < config.heads(); h++) {
        sum += Math.max(0, Rows.dot(queries.data(), queries.at(token, h), page, at, width));
      }
      // Not a number ranks last: what it is of shows it anyway.
      scores[b] = sum > 0 ? sum : 0;
    }
  }
}
