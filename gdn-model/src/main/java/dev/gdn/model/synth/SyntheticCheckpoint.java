package dev.gdn.model.synth;

import dev.gdn.core.concurrent.Workers;
import dev.gdn.core.tensor.DataType;
import dev.gdn.core.tensor.Shape;
import dev.gdn.model.checkpoint.GgufDescription;
import dev.gdn.model.checkpoint.MatrixTypes;
import dev.gdn.model.config.Architecture;
import dev.gdn.model.config.AttentionConfig;
import dev.gdn.model.config.DenseFeedForward;
import dev.gdn.model.config.LayerType;
import dev.gdn.model.config.LinearAttentionConfig;
import dev.gdn.model.config.MixtureOfExperts;
import dev.gdn.model.config.ModelConfig;
import dev.gdn.model.gguf.FileType;
import dev.gdn.model.gguf.GgufWriter;
import dev.gdn.model.gguf.RowSource;
import dev.gdn.model.tokenizer.BpeVocabulary;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

/**
 * Writes a GGUF checkpoint of random weights. They are scaled so that activations stay of the size
 * they have in a trained model, and are the same for the same sizes, type and seed.
 */
public final class SyntheticCheckpoint {
  /**
   * Deviation of what all layers together add to an embedding of deviation 1. A random network
   * amplifies rounding errors where layers outweigh what they start from, and two programs would
   * then not agree on what a quantised file computes.
   */
  private static final double LAYERS_DEVIATION = 0.35;

  /** The logit of a token after itself, with a tied head; the others are around 0. */
  private static final float OWN_LOGIT = 10;

  private final ModelConfig config;
  private final MatrixTypes types;
  private final Workers workers;
  private final SplittableRandom seeds;
  private final GgufWriter writer = new GgufWriter();

  private SyntheticCheckpoint(ModelConfig config, FileType type, long seed, Workers workers) {
    this.config = config;
    this.types = new MatrixTypes(type, config);
    this.workers = workers;
    this.seeds = new SplittableRandom(seed);
  }

  /**
   * Writes a checkpoint.
   *
   * @param name of the model, for its metadata
   * @param type of the matrices; norms and other vectors are F32
   * @param workers make and encode rows
   * @throws IOException if the file cannot be written; nothing is left behind then
   * @throws IllegalArgumentException if the sizes do not suit the type or the tokenizer, or the
   *     architecture is Qwen3-Next
   */
  public static void write(
      String name,
      ModelConfig config,
      FileType type,
      long seed,
      Path file,
      Workers workers,
      GgufWriter.Progress progress)
      throws IOException {
    if (config.architecture() == Architecture.QWEN3_NEXT) {
      throw new IllegalArgumentException("architecture: expected a Qwen3.5, found Qwen3-Next");
    }
    SyntheticCheckpoint checkpoint = new SyntheticCheckpoint(config, type, seed, workers);
    GgufDescription description = new GgufDescription(checkpoint.writer, config.architecture());
    description.putModel(name, config, type);
    BpeVocabulary vocabulary = SyntheticVocabulary.of(config.vocabularySize());
    int end = vocabulary.addedTokens().getFirst().id();
    description.putTokenizer(vocabulary, config.vocabularySize(), List.of(end));
    checkpoint.addTensors();
    checkpoint.writer.write(file, progress);
  }

  private void addTensors() {
    int hidden = config.hiddenSize();
    int vocabulary = config.vocabularySize();
    matrix("token_embd.weight", 1, vocabulary, hidden);
    norm("output_norm.weight", hidden, OWN_LOGIT / hidden);
    if (!config.tiedEmbedding()) {
      matrix("output.weight", 1, vocabulary, hidden);
    }
    for (int i = 0; i < config.layers().size(); i++) {
      String prefix = "blk." + i + ".";
      norm(prefix + "attn_norm.weight", hidden);
      norm(prefix + "post_attention_norm.weight", hidden);
      LayerType layer = config.layers().get(i);
      switch (layer) {
        case LINEAR_ATTENTION -> addLinearAttention(prefix, config.linearAttention());
        case FULL_ATTENTION -> addAttention(prefix, config.attention());
      }
      switch (config.feedForwards().get(i)) {
        case DenseFeedForward dense -> {
          in(prefix + "ffn_gate.weight", dense.intermediateSize());
          in(prefix + "ffn_up.weight", dense.intermediateSize());
          out(prefix + "ffn_down.weight", dense.intermediateSize());
        }
        case MixtureOfExperts mixture -> addMixture(prefix, mixture);
      }
    }
  }

  private void addMixture(String prefix, MixtureOfExperts c) {
    int hidden = config.hiddenSize();
    float deviation = inDeviation();
    random(prefix + "ffn_gate_inp.weight", DataType.F32, deviation, c.experts(), hidden);
    random(prefix + "ffn_gate_inp_shexp.weight", DataType.F32, deviation, hidden);
    in(prefix + "ffn_gate_exps.weight", c.experts(), c.intermediateSize());
    in(prefix + "ffn_up_exps.weight", c.experts(), c.intermediateSize());
    out(prefix + "ffn_down_exps.weight", c.intermediateSize(), c.experts());
    in(prefix + "ffn_gate_shexp.weight", c.sharedIntermediateSize());
    in(prefix + "ffn_up_shexp.weight", c.sharedIntermediateSize());
    out(prefix + "ffn_down_shexp.weight", c.sharedIntermediateSize());
  }

  private void addLinearAttention(String prefix, LinearAttentionConfig c) {
    in(prefix + "attn_qkv.weight", c.convolutionChannels());
    in(prefix + "attn_gate.weight", c.valueSize());
    in(prefix + "ssm_alpha.weight", c.valueHeads());
    in(prefix + "ssm_beta.weight", c.valueHeads());
    out(prefix + "ssm_out.weight", c.valueSize());
    random(
        prefix + "ssm_conv1d.weight",
        DataType.F32,
        (float) (1 / Math.sqrt(c.convolutionWidth())),
        c.convolutionChannels(),
        c.convolutionWidth());
    // As models are initialised: exp(A_log) from 0 to 16, time steps from 0.001 to 0.1.
    vector(prefix + "ssm_a", c.valueHeads(), random -> -random.nextDouble(0.01, 16));
    vector(
        prefix + "ssm_dt.bias",
        c.valueHeads(),
        random -> {
          double step = Math.exp(random.nextDouble(Math.log(0.001), Math.log(0.1)));
          return Math.log(Math.expm1(step));
        });
    norm(prefix + "ssm_norm.weight", c.valueWidth());
  }

  private void addAttention(String prefix, AttentionConfig c) {
    int width = c.headWidth();
    in(prefix + "attn_q.weight", 2 * c.heads() * width);
    in(prefix + "attn_k.weight", c.keyValueHeads() * width);
    in(prefix + "attn_v.weight", c.keyValueHeads() * width);
    out(prefix + "attn_output.weight", c.heads() * width);
    norm(prefix + "attn_q_norm.weight", width);
    norm(prefix + "attn_k_norm.weight", width);
  }

  /** A projection of the normalised residual stream, or a stack: outputs deviate by about 1. */
  private void in(String name, long... rows) {
    matrix(name, inDeviation(), append(rows, config.hiddenSize()));
  }

  private float inDeviation() {
    return (float) (1 / Math.sqrt(config.hiddenSize()));
  }

  /** A projection into the residual stream, or a stack; there are two in each layer. */
  private void out(String name, int columns, long... stack) {
    double deviation = LAYERS_DEVIATION / Math.sqrt(2.0 * config.layers().size() * columns);
    matrix(name, (float) deviation, append(stack, config.hiddenSize(), columns));
  }

  private void matrix(String name, float deviation, long... dimensions) {
    int columns = Math.toIntExact(dimensions[dimensions.length - 1]);
    random(name, types.of(name, columns), deviation, dimensions);
  }

  private static long[] append(long[] dimensions, long... more) {
    return LongStream.concat(Arrays.stream(dimensions), Arrays.stream(more)).toArray();
  }

  private void random(String name, DataType stored, float deviation, long... dimensions) {
    RowSource source = new RandomRows(seeds.nextLong(), 0, deviation);
    writer.tensor(name, stored, new Shape(dimensions), source, workers);
  }

  private void norm(String name, int width) {
    norm(name, width, 1);
  }

  private void norm(String name, int width, float mean) {
    RowSource source = new RandomRows(seeds.nextLong(), mean, 0.05f * mean);
    writer.tensor(name, DataType.F32, new Shape(width), source, workers);
  }

  private void vector(String name, int width, Draw draw) {
    SplittableRandom random = seeds.split();
    float[] values = new float[width];
    for (int i = 0; i < width; i++) {
      values[i] = (float) draw.next(random);
    }
    RowSource source = (row, target) -> System.arraycopy(values, 0, target, 0, width);
    writer.tensor(name, DataType.F32, new Shape(width), source, workers);
  }

  @FunctionalInterface
  private interface Draw {
    double next(SplittableRandom random);
  }
}
