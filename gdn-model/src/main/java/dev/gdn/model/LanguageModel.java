package dev.gdn.model;

import dev.gdn.core.kernel.KernelChoice;
import dev.gdn.core.kernel.KernelProvider;
import dev.gdn.core.kernel.Kernels;
import dev.gdn.core.kernel.KeyValueType;
import dev.gdn.model.chat.ChatTemplate;
import dev.gdn.model.checkpoint.ChatTemplates;
import dev.gdn.model.checkpoint.Checkpoint;
import dev.gdn.model.checkpoint.LoadOptions;
import dev.gdn.model.checkpoint.ModelIdentity;
import dev.gdn.model.checkpoint.WeightSource;
import dev.gdn.model.config.GenerationConfig;
import dev.gdn.model.config.ModelConfig;
import dev.gdn.model.error.CheckpointException;
import dev.gdn.model.error.ContextFullException;
import dev.gdn.model.event.ModelLoadEvent;
import dev.gdn.model.event.Recorder;
import dev.gdn.model.generation.Constraint;
import dev.gdn.model.generation.GenerationOptions;
import dev.gdn.model.generation.GenerationResult;
import dev.gdn.model.generation.SamplingOptions;
import dev.gdn.model.layer.LayerState;
import dev.gdn.model.layer.ModelWeights;
import dev.gdn.model.schema.JsonSchemaConstraint;
import dev.gdn.model.schema.TokenTrie;
import dev.gdn.model.state.PrefixCache;
import dev.gdn.model.tokenizer.Tokenizer;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * An opened checkpoint: configuration, mapped weights, tokenizer. Immutable and safe to share by
 * threads; each conversation has a {@link Session} of its own. Weights are mapped, not copied, so
 * that opening is quick and memory is shared with the file cache. But what is quantised while it is
 * loaded, and FP8, lies in memory of its own, and matrices in Q4_0, Q4_K, Q5_K and Q6_K lie on the
 * heap if {@link WeightPlacement} says so, as it does by default where they are small enough.
 *
 * <p>After {@link #close()} nothing more is computed: {@link #newSession()}, {@link #generate} and
 * the prefill and decode of its sessions throw {@link IllegalStateException}. What has no need of
 * the weights, such as {@link #config()} and {@link #tokenizer()}, still answers.
 *
 * <p>The files stay as they are while a model is open: replacing one, by a move, is harmless, but
 * what is written into it is computed with, and one that is cut short gives a {@link
 * CheckpointException} at the next use.
 */
public final class LanguageModel implements AutoCloseable {
  private final Checkpoint checkpoint;
  private final WeightSource source;
  private final ModelWeights weights;
  private final KernelProvider kernels;
  private final ModelOptions options;
  private final int context;
  private final PrefixCache prefixes;
  private Tokenizer tokenizer;
  private TokenTrie tokenTrie;
  private byte[] identity;
  private final AtomicBoolean closed = new AtomicBoolean();

  private LanguageModel(
      Checkpoint checkpoint,
      WeightSource source,
      ModelWeights weights,
      KernelProvider kernels,
      ModelOptions options) {
    this.checkpoint = checkpoint;
    this.source = source;
    this.weights = weights;
    this.kernels = kernels;
    this.options = options;
    this.prefixes = new PrefixCache(options.snapshotBytes());
    int limit = weights.config().maxPositions();
    this.context = options.context() == 0 ? limit : Math.min(options.context(), limit);
  }

  /**
   * Opens a checkpoint with the default options.
   *
   * @param path a folder as published on model hubs, a GGUF file, or a folder with one such file,
   *     whole or split, and no {@code config.json}
   * @throws CheckpointException if something in it is missing, broken or not supported
   */
  public static LanguageModel open(Path path) {
    return open(path, ModelOptions.defaults());
  }

  /**
   * Opens a checkpoint.
   *
   * @param path a folder as published on model hubs, a GGUF file, or a folder with one such file,
   *     whole or split, and no {@code config.json}
   * @throws CheckpointException if something in it is missing, broken or not supported
   * @throws IllegalArgumentException if there are no such kernels, or they cannot run here
   * @throws CancellationException if the calling thread is interrupted, at the start or while
   *     weights are quantised or laid out anew; it stays interrupted
   */
  public static LanguageModel open(Path path, ModelOptions options) {
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(options, "options");
    Optional<ModelLoadEvent> event = Recorder.beginModelLoad();
    KernelProvider kernels = KernelChoice.named(options.kernels());
    kernels.prepare(Set.of());
    Checkpoint checkpoint = Checkpoint.open(path);
    WeightSource source =
        checkpoint.openWeights(
            new LoadOptions(
                options.quantization(),
                kernels::layout,
                options.placement().mostArrangedBytes(),
                options.workers(),
                options.loadProgress()));
    try {
      ModelWeights weights = ModelWeights.bind(checkpoint.config(), source);
      kernels.prepare(source.matrixTypes());
      var model = new LanguageModel(checkpoint, source, weights, kernels, options);
      event.ifPresent(
          begun -> begun.opened(checkpoint.path(), kernels.name(), weights.layers().size()));
      return model;
    } catch (InternalError e) {
      source.close();
      throw MappingFault.describe(e, source.location());
    } catch (Throwable e) {
      source.close();
      throw e;
    }
  }

  /** Sizes and layer plan. */
  public ModelConfig config() {
    return weights.config();
  }

  /** Stop ids and suggested sampling, as published with the checkpoint. */
  public GenerationConfig generationConfig() {
    return checkpoint.generationConfig();
  }

  /**
   * The checkpoint's tokenizer, read at the first call.
   *
   * @throws CheckpointException if it is missing or broken
   */
  public synchronized Tokenizer tokenizer() {
    if (tokenizer == null) {
      Tokenizer read = checkpoint.readTokenizer();
      if (read.vocabularySize() > config().vocabularySize()) {
        throw new CheckpointException(
            checkpoint.path(),
            "tokenizer",
            "expected ids below the model's vocabulary size %d, found %d"
                .formatted(config().vocabularySize(), read.vocabularySize() - 1));
      }
      tokenizer = read;
    }
    return tokenizer;
  }

  /**
   * The checkpoint's own chat template, if it has one.
   *
   * @throws CheckpointException if it cannot be read
   * @throws dev.gdn.model.error.TemplateException if it is not valid, or uses a part of Jinja that
   *     is not supported
   */
  public Optional<ChatTemplate> chatTemplate() {
    ChatTemplates templates = checkpoint.readChatTemplates();
    return templates.main().map(main -> ChatTemplate.parse(main, templates.specialTokens()));
  }

  /**
   * A constraint that lets a generation give nothing but JSON that is valid by a schema.
   *
   * @param schema a JSON schema, as JSON; {@link JsonSchemaConstraint} says what is supported
   * @throws IllegalArgumentException if it is no JSON schema, or uses what is not supported
   */
  public Constraint jsonSchema(String schema) {
    return JsonSchemaConstraint.of(schema, tokenTrie());
  }

  private synchronized TokenTrie tokenTrie() {
    if (tokenTrie == null) {
      tokenTrie = TokenTrie.of(tokenizer());
    }
    return tokenTrie;
  }

  /** The most tokens a session takes. */
  public int context() {
    return context;
  }

  /** Name of the kernels its sessions run, for example {@code scalar}. */
  public String kernels() {
    return kernels.name();
  }

  /**
   * A new conversation, before its first token.
   *
   * @throws IllegalStateException if the model is closed
   */
  public Session newSession() {
    List<LayerState> layers = LayerState.initial(config(), keyValueType());
    return new Session(this, new LiveSequence(this, weights, openKernels(), layers));
  }

  /** Kernels for one session. */
  Kernels openKernels() {
    checkOpen();
    return kernels.open(options.workers());
  }

  /**
   * The options that the checkpoint suggests, over the library's own: temperature, top-k, top-p,
   * min-p and repetition penalty; greedy if it says not to sample.
   */
  public GenerationOptions defaultOptions() {
    GenerationConfig c = generationConfig();
    SamplingOptions library = SamplingOptions.defaults();
    GenerationOptions o =
        GenerationOptions.defaults()
            .withTemperature((float) c.temperature().orElse(library.temperature()))
            .withTopK(c.topK().orElse(library.topK()))
            .withTopP((float) c.topP().orElse(library.topP()))
            .withMinP((float) c.minP().orElse(library.minP()))
            .withPenalties((float) c.repetitionPenalty().orElse(1), 0, 0);
    return c.sampled().orElse(true) ? o : o.withTemperature(0);
  }

  /**
   * Continues a text in a session of its own.
   *
   * @param prompt not empty
   * @param onText told the text as it comes, never half a character; may be empty
   * @throws IllegalArgumentException if the prompt is empty
   * @throws ContextFullException if the prompt does not fit the context
   * @throws IllegalStateException if the model is closed
   */
  public GenerationResult generate(
      String prompt, GenerationOptions options, Consumer<String> onText) {
    Objects.requireNonNull(prompt, "prompt");
    Objects.requireNonNull(onText, "onText");
    int[] ids = tokenizer().encode(prompt);
    return new TextGenerator(this, newSession())
        .generate(ids, options, event -> onText.accept(event.text()));
  }

  /** How its sessions hold keys and values. */
  public KeyValueType keyValueType() {
    return options.keyValueType();
  }

  /** The states that prompts of its sessions may go on from. */
  PrefixCache prefixes() {
    return prefixes;
  }

  /**
   * What tells this model from others: a hash of its configuration and of samples of its weights.
   */
  synchronized byte[] identity() {
    if (identity == null) {
      try {
        identity = ModelIdentity.of(config(), source, options.quantization());
      } catch (InternalError error) {
        throw weightFault(error);
      } catch (IllegalStateException failure) {
        throw closedMeanwhile(failure);
      }
    }
    return identity;
  }

  void checkOpen() {
    if (closed.get()) {
      throw closed(null);
    }
  }

  private IllegalStateException closed(Throwable cause) {
    return new IllegalStateException("the model " + source.location() + " is closed", cause);
  }

  /** What to throw where memory was not accessible: that the model was closed, if it was. */
  IllegalStateException closedMeanwhile(IllegalStateException failure) {
    return closed.get() ? closed(failure) : failure;
  }

  /** What to throw for an error of the JVM while the weights are read. */
  RuntimeException weightFault(InternalError error) {
    return MappingFault.describe(error, source.location());
  }

  /**
   * Releases the mapped weights. Sessions that are computing elsewhere fail with an exception. May
   * be called again, and by several threads.
   */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      source.close();
      prefixes.clear();
    }
  }
}
