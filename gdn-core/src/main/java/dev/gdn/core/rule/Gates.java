package dev.gdn.core.rule;

import dev.gdn.core.tensor.TokenTensor;
import java.util.Arrays;

/**
 * How fast the state of one sequence decays, and how strongly its tokens write. Before a token
 * writes, entry {@code (i, j)} of a head's state decays by {@code e^(g + gk_i + gv_j)}; see {@link
 * dev.gdn.core.rule} for the conventions.
 *
 * @param g gate per head, {@code [tokens, 1, HV]}, at most 0; null for none
 * @param gk gate per key channel, {@code [tokens, HV, K]}, at most 0; null for none
 * @param gv gate per value channel, {@code [tokens, HV, V]}, at most 0; null for none
 * @param beta from 0 to 2: per head, {@code [tokens, 1, HV]}, or per value channel, {@code [tokens,
 *     HV, V]}; null for 1
 */
public record Gates(TokenTensor g, TokenTensor gk, TokenTensor gv, TokenTensor beta) {
  /** Gates and betas per head. */
  public static Gates perHead(TokenTensor g, TokenTensor beta) {
    return new Gates(g, null, null, beta);
  }

  /** The same with {@code g} and {@code beta} never null: zeros and ones stand for what is not. */
  public Gates complete(int valueHeads) {
    return new Gates(
        g == null ? constant(0, valueHeads) : g,
        gk,
        gv,
        beta == null ? constant(1, valueHeads) : beta);
  }

  /** One row for every token. */
  private static TokenTensor constant(float value, int heads) {
    float[] row = new float[heads];
    Arrays.fill(row, value);
    return new TokenTensor(row, 0, 0, 1, heads, heads);
  }

  /** The same with the first {@code tokens} tokens left out. */
  public Gates from(int tokens) {
    return new Gates(from(g, tokens), from(gk, tokens), from(gv, tokens), from(beta, tokens));
  }

  private static TokenTensor from(TokenTensor view, int tokens) {
    return view == null ? null : view.from(tokens);
  }

  /**
   * Checks the shapes of all views and that each holds this many tokens.
   *
   * @throws IllegalArgumentException naming the view that does not fit
   */
  public void check(int tokens, int valueHeads, int keyWidth, int valueWidth) {
    if (g != null) {
      g.check("g", tokens, 1, valueHeads);
    }
    if (gk != null) {
      gk.check("gk", tokens, valueHeads, keyWidth);
    }
    if (gv != null) {
      gv.check("gv", tokens, valueHeads, valueWidth);
    }
    if (beta != null && betaPerValue(valueHeads)) {
      beta.check("beta", tokens, valueHeads, valueWidth);
    } else if (beta != null) {
      beta.check("beta", tokens, 1, valueHeads);
    }
  }

  /**
   * Checks that the gates of the first tokens are at most 0. A state that grows is not what they
   * are for, and only the recurrent form could compute with it. NaN passes, and gives NaN.
   *
   * @throws IllegalArgumentException naming the gate that is above 0
   */
  public void checkDecays(int tokens) {
    checkDecays("g", g, tokens);
    checkDecays("gk", gk, tokens);
    checkDecays("gv", gv, tokens);
  }

  private static void checkDecays(String what, TokenTensor gates, int tokens) {
    if (gates == null) {
      return;
    }
    for (int t = 0; t < tokens; t++) {
      for (int h = 0; h < gates.heads(); h++) {
        int from = gates.at(t, h);
        for (int i = from; i < from + gates.width(); i++) {
          if (gates.data()[i] > 0) {
            throw new IllegalArgumentException(
                "%s: expected values of at most 0, found %s at element %d of token %d"
                    .formatted(what, gates.data()[i], h * gates.width() + i - from, t));
          }
        }
      }
    }
  }

  /** Whether {@code beta} has a number for each value channel, rather than for each head. */
  public boolean betaPerValue(int valueHeads) {
    return beta != null && !(beta.heads() == 1 && beta.width() == valueHeads);
  }

  /** Whether gates or betas differ from one value channel to another. */
  public boolean perValue(int valueHeads) {
    return gv != null || betaPerValue(valueHeads);
  }

  /** Gathers β of a token and head, {@code [V]}. */
  public void gatherBeta(
      int token, int valueHead, int valueHeads, float[] target, int to, int width) {
    if (betaPerValue(valueHeads)) {
      System.arraycopy(beta.data(), beta.at(token, valueHead), target, to, width);
    } else {
      Arrays.fill(target, to, to + width, beta.data()[beta.at(token) + valueHead]);
    }
  }
}
