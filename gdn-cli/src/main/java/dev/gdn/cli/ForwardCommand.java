package dev.gdn.cli;

import dev.gdn.core.tensor.Shape;
import dev.gdn.model.LanguageModel;
import dev.gdn.model.Session;
import dev.gdn.model.error.ContextFullException;
import dev.gdn.model.error.NonFiniteLogitsException;
import dev.gdn.model.observer.ForwardObserver;
import dev.gdn.model.safetensors.SafetensorsWriter;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Arrays;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "forward",
    description = "Writes the logits of every token of a sequence, float32 [tokens, vocabulary].")
final class ForwardCommand extends BaseCommand {
  private static final String MIXED = "mixed:";

  @Mixin private ModelOption model;

  @Mixin private QuantizeOption quantize;

  @Option(names = "--ids", paramLabel = "1,2,3", required = true, description = "The tokens.")
  private String idList;

  @Option(
      names = "--mode",
      paramLabel = "MODE",
      defaultValue = "prefill",
      description =
          "prefill: all at once; decode: one by one; mixed:N: N at once, the rest one by one;"
              + " prefill if none.")
  private String mode;

  @Option(
      names = {"-o", "--out"},
      paramLabel = "FILE",
      required = true,
      description = "The safetensors file to write.")
  private Path out;

  @Override
  void run(PrintWriter standard) {
    int[] ids = TokenIds.parse("--ids", idList);
    int together = together(ids.length);
    Outputs.checkApartFromModel(out, "--out", model.path());
    try (LanguageModel opened = model.open(quantize)) {
      Session session = opened.newSession();
      // Before memory is asked for.
      if (ids.length > session.remaining()) {
        throw new ContextFullException(session.position(), ids.length, opened.context());
      }
      int vocabulary = opened.config().vocabularySize();
      if ((long) ids.length * vocabulary > Integer.MAX_VALUE - 8) {
        throw new InputException(
            "--ids: the logits of %d tokens and %d vocabulary entries do not fit an array"
                .formatted(ids.length, vocabulary));
      }
      Logits logits = new Logits(ids.length, vocabulary);
      if (together > 0) {
        session.prefill(Arrays.copyOf(ids, together), logits);
      }
      for (int i = together; i < ids.length; i++) {
        session.decode(ids[i], logits);
      }
      SafetensorsWriter writer = new SafetensorsWriter();
      writer.add("logits", new Shape(ids.length, vocabulary), logits.values);
      Outputs.write(writer, out);
    }
  }

  /** Tokens to prefill; the rest is decoded. */
  private int together(int count) {
    if (mode.equals("prefill")) {
      return count;
    }
    if (mode.equals("decode")) {
      return 0;
    }
    if (mode.startsWith(MIXED)) {
      try {
        int tokens = Integer.parseInt(mode.substring(MIXED.length()));
        if (tokens >= 0) {
          return Math.min(tokens, count);
        }
      } catch (NumberFormatException e) {
        throw badMode(e);
      }
    }
    throw badMode(null);
  }

  private InputException badMode(Throwable cause) {
    return new InputException(
        "--mode: expected prefill, decode or mixed:N with N at least 0, found " + mode, cause);
  }

  /** Keeps the logits of every token. */
  private static final class Logits implements ForwardObserver {
    private final float[] values;

    Logits(int tokens, int vocabulary) {
      values = new float[tokens * vocabulary];
    }

    @Override
    public boolean wantsLogits() {
      return true;
    }

    @Override
    public void logits(int position, float[] logits, int offset, int count) {
      NonFiniteLogitsException.check(position, logits, offset, count);
      System.arraycopy(logits, offset, values, position * count, count);
    }
  }
}
