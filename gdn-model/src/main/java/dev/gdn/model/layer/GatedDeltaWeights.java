package dev.gdn.model.layer;

import dev.gdn.core.kernel.Activation;
import dev.gdn.core.kernel.ConvolutionWeights;
import dev.gdn.core.kernel.DecayGateWeights;
import dev.gdn.core.kernel.NormWeights;
import dev.gdn.core.tensor.WeightMatrix;
import dev.gdn.model.checkpoint.DeltaProjections;
import dev.gdn.model.checkpoint.WeightSource;
import dev.gdn.model.config.LinearAttentionConfig;
import dev.gdn.model.config.ModelConfig;

/**
 * The weights of a gated delta layer's token mixer.
 *
 * @param in the projections of the layer's input
 * @param convolution over the channels of queries, keys and values, with SiLU
 * @param decay the decay gate's rate and bias
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
    int heads = c.valueHeads();
    int values = c.valueSize();
    int channels = c.convolutionChannels();
    String prefix = layer + "linear_attn.";
    float[] taps =
        source.require(prefix + "conv1d.weight", channels, 1, c.convolutionWidth()).toFloats();
    return new GatedDeltaWeights(
        DeltaProjections.require(source, prefix, c, hidden),
        ConvolutionWeights.fromChannelMajor(
            channels, c.convolutionWidth(), taps, null, Activation.SILU),
        source.decayGate(prefix, heads),
        new NormWeights(
            source.require(prefix + "norm.weight", c.valueWidth()).toFloats(),
            (float) config.normEpsilon(),
            false),
        source.require(prefix + "out_proj.weight", hidden, values).toMatrix());
  }
}
