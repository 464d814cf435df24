package dev.gdn.model.layer;

import dev.gdn.core.kernel.Activation;
import dev.gdn.core.kernel.ConvolutionWeights;
import dev.gdn.core.kernel.DecayGateWeights;
import dev.gdn.core.kernel.NormWeights;
import dev.gdn.core.tensor.Shape;
import dev.gdn.core.tensor.WeightMatrix;
import dev.gdn.model.checkpoint.DeltaProjections;
import dev.gdn.model.checkpoint.WeightSource;
import dev.gdn.model.config.LinearAttentionConfig;
import dev.gdn.model.config.ModelConfig;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The weights of a gated delta layer's token mixer.
 *
 * @param in the projections of the layer's input
 * @param convolution over the channels of queries, keys and values, with SiLU
 * @param decay the decay gate's rate and bias, for each head or each key channel of each head
 * @param norm of each value head, {@code [V]}
 * @param out {@code [hidden, HV·V]}
 */
record GatedDeltaWeights(
    DeltaProjections in,
    ConvolutionWeights convolution,
    DecayGateWeights decay,
    NormWeights norm,
    WeightMatrix out)
    implements MixerWeights {

  static GatedDeltaWeights bind(ModelConfig config, WeightSource source, String layer) {
    LinearAttentionConfig c = config.linearAttention();
    int hidden = config.hiddenSize();
    String prefix = layer + "linear_attn.";
    double epsilon = c.variant().normEpsilon().orElse(config.normEpsilon());
    return new GatedDeltaWeights(
        DeltaProjections.require(source, prefix, c, hidden),
        ConvolutionWeights.fromChannelMajor(
            c.convolutionChannels(),
            c.convolutionWidth(),
            taps(source, prefix, c),
            null,
            Activation.SILU),
        switch (c.variant().decay()) {
          case PER_HEAD -> source.decayGate(prefix, c.valueHeads());
          case PER_KEY_CHANNEL -> channelDecayGate(source, prefix, c);
        },
        new NormWeights(
            source.require(prefix + "norm.weight", c.valueWidth()).toFloats(),
            (float) epsilon,
            false),
        source.require(prefix + "out_proj.weight", hidden, c.valueSize()).toMatrix());
  }

  /** Of one convolution over all channels, or of three: over queries, keys and values. */
  private static float[] taps(WeightSource source, String prefix, LinearAttentionConfig c) {
    int width = c.convolutionWidth();
    boolean separate =
        Stream.of("q", "k", "v")
            .anyMatch(part -> source.shape(prefix + part + "_conv1d.weight").isPresent());
    if (!separate) {
      return source.require(prefix + "conv1d.weight", c.convolutionChannels(), 1, width).toFloats();
    }
    int third = c.convolutionChannels() / 3;
    // The public implementation cuts its one convolution into thirds when it writes a checkpoint.
    boolean thirds =
        source.shape(prefix + "q_conv1d.weight").equals(Optional.of(new Shape(third, 1, width)));
    float[] taps = new float[c.convolutionChannels() * width];
    int to = 0;
    for (String part : List.of("q", "k", "v")) {
      int own = part.equals("v") ? c.valueSize() : c.keySize();
      int channels = thirds ? third : own;
      float[] values =
          source.require(prefix + part + "_conv1d.weight", channels, 1, width).toFloats();
      System.arraycopy(values, 0, taps, to, values.length);
      to += values.length;
    }
    return taps;
  }

  /** Rates are per head, biases per key channel. */
  private static DecayGateWeights channelDecayGate(
      WeightSource source, String prefix, LinearAttentionConfig c) {
    float[] logs = source.require(prefix + "A_log", 1, 1, c.valueHeads(), 1).toFloats();
    float[] spread = new float[c.decaySize()];
    for (int i = 0; i < spread.length; i++) {
      spread[i] = logs[i / c.keyWidth()];
    }
    return DecayGateWeights.fromLog(
        spread, source.require(prefix + "dt_bias", c.decaySize()).toFloats());
  }
}
