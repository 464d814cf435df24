package dev.gdn.model.convert;

import dev.gdn.core.concurrent.Workers;
import dev.gdn.core.kernel.DecayGateWeights;
import dev.gdn.core.tensor.DataType;
import dev.gdn.core.tensor.Shape;
import dev.gdn.core.tensor.StoredTensor;
import dev.gdn.core.tensor.WeightMatrix;
import dev.gdn.model.checkpoint.DeltaProjections;
import dev.gdn.model.checkpoint.ExpertMatrices;
import dev.gdn.model.checkpoint.GgufDescription;
import dev.gdn.model.checkpoint.GgufModel;
import dev.gdn.model.checkpoint.GgufNames;
import dev.gdn.model.checkpoint.HubFolder;
import dev.gdn.model.checkpoint.MatrixTypes;
import dev.gdn.model.checkpoint.RowPieces;
import dev.gdn.model.checkpoint.TensorRows;
import dev.gdn.model.checkpoint.WeightSource;
import dev.gdn.model.config.AttentionConfig;
import dev.gdn.model.config.DenseFeedForward;
import dev.gdn.model.config.FeedForwardConfig;
import dev.gdn.model.config.LayerType;
import dev.gdn.model.config.LinearAttentionConfig;
import dev.gdn.model.config.MixtureOfExperts;
import dev.gdn.model.config.ModelConfig;
import dev.gdn.model.error.CheckpointException;
import dev.gdn.model.file.FileKind;
import dev.gdn.model.gguf.FileType;
import dev.gdn.model.gguf.GgmlType;
import dev.gdn.model.gguf.GgufWriter;
import dev.gdn.model.gguf.RowSource;
import dev.gdn.model.tokenizer.TokenizerJson;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a hub checkpoint as a GGUF file that llama.cpp computes the same from: value heads tiled
 * instead of grouped where the model has them so, 1 added to norm weights, −exp(A_log) in place of
 * A_log.
 */
public final class HubToGguf {
  private static final Logger LOG = LoggerFactory.getLogger(HubToGguf.class);

  private final ModelConfig config;
  private final WeightSource weights;
  private final MatrixTypes types;
  private final Workers workers;
  private final GgufWriter writer = new GgufWriter();
  private final Map<DataType, Integer> replacements = new EnumMap<>(DataType.class);

  private HubToGguf(ModelConfig config, WeightSource weights, FileType type, Workers workers) {
    this.config = config;
    this.weights = weights;
    this.types = new MatrixTypes(type, config);
    this.workers = workers;
  }

  /**
   * Converts a checkpoint.
   *
   * @param folder of the checkpoint; its tokenizer may be missing
   * @param type of the matrices; norms, other vectors and convolutions are F32. A matrix whose rows
   *     are no whole number of its blocks gets the type that {@link MatrixTypes} says; how many do
   *     is logged
   * @param file to write
   * @param workers encode rows
   * @throws CheckpointException if something in the folder is missing, broken or not supported, or
   *     a matrix holds a number that is not finite or too large for the type
   * @throws IllegalArgumentException if GGUF files of such a model, or of such a tokenizer, are not
   *     supported
   * @throws IOException if the file cannot be written; nothing is left behind then
   */
  public static void convert(
      Path folder, FileType type, Path file, Workers workers, GgufWriter.Progress progress)
      throws IOException {
    HubFolder hub = HubFolder.open(folder);
    ModelConfig config = hub.config();
    try (WeightSource weights = hub.openWeights()) {
      HubToGguf conversion = new HubToGguf(config, weights, type, workers);
      GgufDescription description = new GgufDescription(conversion.writer, config.architecture());
      Path name = folder.toAbsolutePath().normalize().getFileName();
      description.putModel(name == null ? "model" : name.toString(), config, type);
      Path tokenizer = folder.resolve("tokenizer.json");
      List<Integer> endTokens = hub.generationConfig().endTokens();
      if (FileKind.isThere(tokenizer)) {
        description.putTokenizer(TokenizerJson.read(tokenizer), config.vocabularySize(), endTokens);
      } else {
        description.putNoTokenizer(config.vocabularySize(), endTokens);
      }
      description.putChatTemplates(hub.readChatTemplates());
      conversion.addModel();
      weights.refuseUnused();
      conversion.tellReplacements();
      conversion.writer.write(file, progress);
    }
  }

  private void addModel() {
    int hidden = config.hiddenSize();
    matrix("embed_tokens.weight", config.vocabularySize(), hidden);
    norm("norm.weight", hidden);
    if (!config.tiedEmbedding()) {
      matrix("lm_head.weight", config.vocabularySize(), hidden);
    }
    for (int i = 0; i < config.layers().size(); i++) {
      String layer = "layers." + i + ".";
      norm(layer + "input_layernorm.weight", hidden);
      norm(layer + "post_attention_layernorm.weight", hidden);
      LayerType mixer = config.layers().get(i);
      switch (mixer) {
        case LINEAR_ATTENTION -> addLinearAttention(layer + "linear_attn.");
        case FULL_ATTENTION -> addAttention(layer + "self_attn.");
      }
      addFeedForward(config.feedForwards().get(i), layer + "mlp.");
    }
  }

  private void addFeedForward(FeedForwardConfig feedForward, String prefix) {
    switch (feedForward) {
      case DenseFeedForward dense -> addDense(prefix, dense.intermediateSize());
      case MixtureOfExperts mixture -> {
        int hidden = config.hiddenSize();
        addDense(prefix + "shared_expert.", mixture.sharedIntermediateSize());
        float[] gate = weights.require(prefix + "shared_expert_gate.weight", 1, hidden).toFloats();
        vector(prefix + "shared_expert_gate.weight", gate);
        WeightMatrix router =
            weights.require(prefix + "gate.weight", mixture.experts(), hidden).toMatrix();
        // As llama.cpp has it: a router's scores are to be exact.
        put(
            router.name(),
            GgufNames.of(prefix + "gate.weight").getFirst(),
            DataType.F32,
            new Shape(mixture.experts(), hidden),
            (row, target) -> router.decodeRow((int) row, target, 0));
        ExpertMatrices experts = ExpertMatrices.require(weights, prefix, mixture, hidden);
        stack(prefix + "experts.gate_proj", experts.gate());
        stack(prefix + "experts.up_proj", experts.up());
        stack(prefix + "experts.down_proj", experts.down());
      }
    }
  }

  private void addDense(String prefix, int intermediate) {
    matrix(prefix + "gate_proj.weight", intermediate, config.hiddenSize());
    matrix(prefix + "up_proj.weight", intermediate, config.hiddenSize());
    matrix(prefix + "down_proj.weight", config.hiddenSize(), intermediate);
  }

  private void stack(String name, List<WeightMatrix> matrices) {
    int rows = matrices.getFirst().rows();
    int columns = matrices.getFirst().columns();
    String known = GgufNames.of(name).getFirst();
    put(
        name,
        known,
        type(known, columns),
        new Shape(matrices.size(), rows, columns),
        (row, target) -> matrices.get((int) (row / rows)).decodeRow((int) (row % rows), target, 0));
  }

  private void addAttention(String prefix) {
    AttentionConfig c = (AttentionConfig) config.attention();
    int hidden = config.hiddenSize();
    int width = c.headWidth();
    matrix(prefix + "q_proj.weight", 2 * c.heads() * width, hidden);
    matrix(prefix + "k_proj.weight", c.keyValueHeads() * width, hidden);
    matrix(prefix + "v_proj.weight", c.keyValueHeads() * width, hidden);
    matrix(prefix + "o_proj.weight", hidden, c.heads() * width);
    norm(prefix + "q_norm.weight", width);
    norm(prefix + "k_norm.weight", width);
  }

  private void addLinearAttention(String prefix) {
    LinearAttentionConfig c = config.linearAttention();
    GgufModel model = GgufModel.of(config.architecture());
    ValueHeads heads = new ValueHeads(c, model.headMapping());
    int hidden = config.hiddenSize();
    int width = c.valueWidth();
    int keys = 2 * c.keySize();
    int channels = c.convolutionChannels();
    DeltaProjections in = DeltaProjections.require(weights, prefix, c, hidden);
    tiledRows(prefix + "in_proj_qkv.weight", in.qkv(), heads, keys, width, channels);
    tiledRows(prefix + "in_proj_z.weight", in.z(), heads, 0, width, c.valueSize());
    if (model.joinsBetaAndAlpha()) {
      betaAndAlpha(prefix + "in_proj_ba.weight", in, c);
    } else {
      tiledRows(prefix + "in_proj_a.weight", in.alpha(), heads, 0, 1, c.valueHeads());
      tiledRows(prefix + "in_proj_b.weight", in.beta(), heads, 0, 1, c.valueHeads());
    }
    tiledColumns(prefix + "out_proj.weight", heads, width, hidden, c.valueSize());
    String convolution = prefix + "conv1d.weight";
    WeightMatrix taps = weights.require(convolution, channels, 1, c.convolutionWidth()).toMatrix();
    put(
        taps.name(),
        GgufNames.of(convolution).getFirst(),
        DataType.F32,
        new Shape(channels, c.convolutionWidth()),
        (row, target) -> taps.decodeRow(heads.grouped((int) row, keys, width), target, 0));
    DecayGateWeights decay = weights.decayGate(prefix, c.valueHeads());
    vector(prefix + "decay_rate", tiled(heads, decay.rate()));
    vector(prefix + "dt_bias", tiled(heads, decay.bias()));
    vector(prefix + "norm.weight", weights.require(prefix + "norm.weight", width).toFloats());
  }

  private static float[] tiled(ValueHeads heads, float[] grouped) {
    float[] tiled = new float[grouped.length];
    for (int i = 0; i < tiled.length; i++) {
      tiled[i] = grouped[heads.grouped(i)];
    }
    return tiled;
  }

  private void matrix(String name, int rows, int columns) {
    WeightMatrix source = weights.require(name, rows, columns).toMatrix();
    matrix(name, rows, columns, (row, target) -> source.decodeRow((int) row, target, 0));
  }

  /** Rows of value heads, from row {@code before} on, so many for each head. */
  private void tiledRows(
      String name, RowPieces source, ValueHeads heads, int before, int width, int rows) {
    matrix(
        name,
        rows,
        config.hiddenSize(),
        (row, target) -> source.decodeRow(heads.grouped((int) row, before, width), target));
  }

  /** For one key head after the other the rows of beta, then of alpha, of its value heads. */
  private void betaAndAlpha(String name, DeltaProjections in, LinearAttentionConfig c) {
    int group = c.valueHeads() / c.keyHeads();
    matrix(
        name,
        2 * c.valueHeads(),
        config.hiddenSize(),
        (row, target) -> {
          int valueHead = (int) row / (2 * group) * group + (int) row % group;
          RowPieces rows = row % (2 * group) < group ? in.beta() : in.alpha();
          rows.decodeRow(valueHead, target);
        });
  }

  /** Columns of value heads, so many for each head. */
  private void tiledColumns(String name, ValueHeads heads, int width, int rows, int columns) {
    WeightMatrix source = weights.require(name, rows, columns).toMatrix();
    matrix(
        name,
        rows,
        columns,
        (row, target) -> {
          float[] grouped = new float[columns];
          source.decodeRow((int) row, grouped, 0);
          for (int i = 0; i < columns; i++) {
            target[i] = grouped[heads.grouped(i, 0, width)];
          }
        });
  }

  private void matrix(String name, int rows, int columns, RowSource source) {
    String known = GgufNames.of(name).getFirst();
    put(name, known, type(known, columns), new Shape(rows, columns), source);
  }

  private DataType type(String name, int columns) {
    DataType type = types.of(name, columns);
    if (type != types.wanted(name)) {
      replacements.merge(type, 1, Integer::sum);
    }
    return type;
  }

  /** Says once what is not stored as was asked for. */
  private void tellReplacements() {
    if (!replacements.isEmpty()) {
      LOG.info(
          "{}: matrices whose rows are no whole number of blocks, in another type than {}: {}",
          weights.location(),
          types.fileType(),
          replacements.entrySet().stream()
              .map(count -> "%d in %s".formatted(count.getValue(), count.getKey()))
              .collect(Collectors.joining(", ")));
    }
  }

  /** Adds a tensor to be encoded, whose rows come from one of the checkpoint. */
  private void put(String source, String name, DataType type, Shape shape, RowSource rows) {
    // Rows may be in another order than in the checkpoint: they are counted as they are written.
    String subject = "%s, written as %s".formatted(source, name);
    writer.tensor(name, type, shape, new TensorRows(weights.location(), subject, rows), workers);
  }

  private void norm(String name, int width) {
    StoredTensor stored = weights.require(name, width);
    float[] values = stored.toFloats();
    if (weights.zeroCentredNorms()) {
      for (int i = 0; i < values.length; i++) {
        values[i]++;
      }
    }
    vector(name, values);
  }

  private void vector(String name, float[] values) {
    String known = GgufNames.of(name).getFirst();
    for (int i = 0; i < values.length; i++) {
      if (!Float.isFinite(values[i])) {
        throw new CheckpointException(
            weights.location(),
            "tensor %s, written as %s".formatted(name, known),
            "element %d: expected a finite number, found %s".formatted(i, values[i]));
      }
    }
    writer.tensor(known, GgmlType.F32, new Shape(values.length), MemorySegment.ofArray(values));
  }
}
