package dev.gdn.model.layer;

import dev.gdn.core.kernel.Activation;
import dev.gdn.core.kernel.Kernels;
import dev.gdn.core.kernel.Projection;
import dev.gdn.core.tensor.Rows;
import dev.gdn.core.tensor.TokenTensor;
import dev.gdn.model.config.ModelConfig;
import dev.gdn.model.config.NgramConfig;

/**
 * Adds a layer's embedding e of n-grams to the residual streams, for one session: with v = V e, and
 * keys K e and streams normalised to k_c and n_c,
 *
 * <pre>g_c = k_c·n_c / √hidden;   u_c = σ(sign(g_c) √|g_c|) v;   stream c += u_c + conv(norm(u_c))
 * </pre>
 */
final class NgramBlock {
  private static final float LEAST_GATE = 1e-6f;

  private final NgramWeights weights;
  private final Kernels kernels;
  private final NgramState state;
  private final int longest;
  private final int headWidth;
  private final int[] rows;
  private final TokenTensor embedding;
  private final TokenTensor keys;
  private final TokenTensor value;
  private final TokenTensor normed;
  private final TokenTensor gates;
  private final TokenTensor gated;
  private final Projection[] in;

  /**
   * @param tokens most of a block
   */
  NgramBlock(
      NgramWeights weights, ModelConfig config, Kernels kernels, NgramState state, int tokens) {
    NgramConfig ngrams = config.ngrams().orElseThrow();
    this.weights = weights;
    this.kernels = kernels;
    this.state = state;
    this.longest = ngrams.longest();
    this.headWidth = ngrams.headWidth();
    this.rows = new int[ngrams.heads()];
    this.embedding = TokenTensor.zeros(tokens, ngrams.width());
    this.keys = TokenTensor.zeros(tokens, config.residualWidth());
    this.value = TokenTensor.zeros(tokens, config.hiddenSize());
    this.normed = TokenTensor.zeros(tokens, config.residualWidth());
    this.gates = TokenTensor.zeros(tokens, config.residualWidth() / config.hiddenSize());
    this.gated = TokenTensor.zeros(tokens, config.residualWidth());
    this.in =
        new Projection[] {
          new Projection(weights.key(), keys), new Projection(weights.value(), value)
        };
  }

  /**
   * Adds to the streams of the next tokens.
   *
   * @param ids of the tokens, from {@code from} on
   * @param position of the first
   * @param hidden {@code [tokens, residual width]}
   */
  void add(int[] ids, int from, int tokens, int position, TokenTensor hidden) {
    embed(ids, from, tokens);
    kernels.matrix().multiply(embedding, tokens, in);
    weights.keyNorm().apply(kernels, keys, keys, tokens);
    weights.queryNorm().apply(kernels, hidden, normed, tokens);
    for (int c = 0; c < gates.width(); c++) {
      fillGates(c, tokens);
      TokenTensor gate = gates.columns(c, 1, 1);
      TokenTensor stream = gated.columns(c * value.width(), 1, value.width());
      kernels.elementwise().gateTokens(Activation.SIGMOID, gate, value, stream, tokens);
    }
    weights.convolutionNorm().apply(kernels, gated, normed, tokens);
    convolve(position, tokens);
    kernels.elementwise().add(gated, hidden, tokens);
    kernels.elementwise().add(normed, hidden, tokens);
  }

  private void embed(int[] ids, int from, int tokens) {
    int[] past = state.past();
    for (int t = 0; t < tokens; t++) {
      int id = ids[from + t];
      weights.hash().rows(id, past, rows);
      for (int head = 0; head < rows.length; head++) {
        int at = embedding.at(t) + head * headWidth;
        weights.table().decodeRow(rows[head], embedding.data(), at);
      }
      System.arraycopy(past, 0, past, 1, past.length - 1);
      past[0] = id;
    }
  }

  private void fillGates(int c, int tokens) {
    int width = value.width();
    float scale = (float) (1 / Math.sqrt(width));
    for (int t = 0; t < tokens; t++) {
      int key = keys.at(t) + c * width;
      int query = normed.at(t) + c * width;
      float gate = scale * Rows.dot(keys.data(), key, normed.data(), query, width);
      float root = (float) Math.sqrt(Math.max(Math.abs(gate), LEAST_GATE));
      gates.data()[gates.at(t) + c] = Math.signum(gate) * root;
    }
  }

  // Taps that lie some tokens apart see every so many-th token: these are sequences by themselves.
  private void convolve(int position, int tokens) {
    for (int first = 0; first < Math.min(longest, tokens); first++) {
      TokenTensor from = normed.from(first);
      TokenTensor every =
          new TokenTensor(
              from.data(),
              from.offset(),
              longest * from.tokenStride(),
              from.heads(),
              from.headStride(),
              from.width());
      float[] window = state.windows()[(position + first) % longest];
      int count = Math.ceilDiv(tokens - first, longest);
      kernels.convolution().convolve(weights.convolution(), every, window, every, count);
    }
  }
}
