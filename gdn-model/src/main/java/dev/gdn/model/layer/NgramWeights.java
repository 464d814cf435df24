package dev.gdn.model.layer;

import dev.gdn.core.kernel.Activation;
import dev.gdn.core.kernel.ConvolutionWeights;
import dev.gdn.core.tensor.WeightMatrix;
import dev.gdn.model.checkpoint.WeightSource;
import dev.gdn.model.config.ModelConfig;
import dev.gdn.model.config.NgramConfig;

/**
 * The weights of a layer's embedding of n-grams.
 *
 * @param hash gives the rows of the table
 * @param table the embedding
 * @param key {@code [residual width, width]}: for each stream what it is gated by
 * @param value {@code [hidden, width]}
 * @param keyNorm of the keys
 * @param queryNorm of the streams
 * @param convolutionNorm of what is convolved
 * @param convolution over the channels of all streams, with SiLU; its taps lie as many tokens apart
 *     as the longest n-gram has
 */
record NgramWeights(
    NgramHash hash,
    NgramTable table,
    WeightMatrix key,
    WeightMatrix value,
    StreamNorm keyNorm,
    StreamNorm queryNorm,
    StreamNorm convolutionNorm,
    ConvolutionWeights convolution) {

  static NgramWeights bind(ModelConfig config, NgramConfig c, WeightSource source, int layer) {
    int channels = config.residualWidth();
    String prefix = "layers." + layer + ".ple.";
    NgramHash hash = new NgramHash(c, layer, config.vocabularySize());
    hash.check(source, prefix + "ple_embedding.");
    return new NgramWeights(
        hash,
        NgramTable.bind(source, prefix + "ple_embedding.ngram_embedding.", c, layer),
        source.require(prefix + "key_proj.weight", channels, c.width()).toMatrix(),
        source.require(prefix + "value_proj.weight", config.hiddenSize(), c.width()).toMatrix(),
        StreamNorm.bind(config, source, prefix + "norm_key.weight"),
        StreamNorm.bind(config, source, prefix + "norm_query.weight"),
        StreamNorm.bind(config, source, prefix + "norm_conv.weight"),
        ConvolutionWeights.fromChannelMajor(
            channels,
            c.convolutionWidth(),
            source.require(prefix + "conv1d.weight", channels, 1, c.convolutionWidth()).toFloats(),
            null,
            Activation.SILU));
  }
}
