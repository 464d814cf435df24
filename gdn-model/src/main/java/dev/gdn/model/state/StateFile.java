package dev.gdn.model.state;

import dev.gdn.core.kernel.KeyValueType;
import dev.gdn.model.error.SessionFileException;
import dev.gdn.model.file.FileKind;
import dev.gdn.model.file.FileReplacement;
import dev.gdn.model.file.Interruption;
import dev.gdn.model.file.NumberReader;
import dev.gdn.model.file.NumberWriter;
import dev.gdn.model.layer.LayerState;
import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;

/**
 * A session in a file, little-endian: the magic {@code gdnstate}, a version, the model's identity
 * (32 bytes), the type of the KV cache (its ordinal), the number of tokens, 1 if logits follow or
 * 0; then the tokens, the logits, what each layer holds; a CRC-32C of all that.
 */
public final class StateFile {
  static final int VERSION = 1;

  private static final byte[] MAGIC = "gdnstate".getBytes(StandardCharsets.US_ASCII);
  private static final int IDENTITY = 32;
  private static final int HEADER = MAGIC.length + IDENTITY + 4 * Integer.BYTES;

  private final Path path;
  private final byte[] identity;
  private final KeyValueType type;
  private final int vocabularySize;
  private final int context;

  /**
   * What a file is written for, or must be made for.
   *
   * @param identity of the model, 32 bytes
   * @param type of the KV cache
   * @param vocabularySize logits, and the bound of tokens
   * @param context most tokens
   */
  public StateFile(Path path, byte[] identity, KeyValueType type, int vocabularySize, int context) {
    this.path = path;
    this.identity = identity.clone();
    this.type = type;
    this.vocabularySize = vocabularySize;
    this.context = context;
  }

  /**
   * Writes a sequence; a file that is there is replaced once all is written.
   *
   * @param logits what followed the last token; null if that is not known
   * @throws IOException if it cannot be written
   */
  public void write(List<LayerState> layers, int[] tokens, float[] logits) throws IOException {
    FileReplacement.write(
        path,
        channel -> {
          NumberWriter out = new NumberWriter(channel);
          out.bytes(MAGIC);
          out.integer(VERSION);
          out.bytes(identity);
          out.integer(type.ordinal());
          out.integer(tokens.length);
          out.integer(logits == null ? 0 : 1);
          out.integers(tokens, tokens.length);
          if (logits != null) {
            out.floats(logits, 0, logits.length);
          }
          for (LayerState layer : layers) {
            layer.write(out);
          }
          out.finish();
        });
  }

  /**
   * What a file says beside the layers.
   *
   * @param tokens of the sequence
   * @param logits what followed the last one; null if that is not known
   */
  public record Content(int[] tokens, float[] logits) {}

  /**
   * Reads a sequence.
   *
   * @param layers before the first token; they become what was saved, and are of no use if this
   *     fails
   * @throws SessionFileException if the file is missing, damaged or made for something else, or
   *     holds a number that is not finite
   * @throws java.util.concurrent.CancellationException if the thread is interrupted; it stays so
   */
  public Content read(List<LayerState> layers) {
    // A device or a pipe has no length to check.
    if (FileKind.isThere(path) && !Files.isRegularFile(path)) {
      throw problem("expected a saved session, found " + FileKind.describe(path));
    }
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      return read(channel, layers);
    } catch (NoSuchFileException e) {
      throw new SessionFileException(path, "expected a saved session, found nothing", e);
    } catch (EOFException e) {
      throw new SessionFileException(path, "damaged: it ends early", e);
    } catch (ClosedByInterruptException e) {
      throw Interruption.whileLoading(path);
    } catch (IOException e) {
      throw new SessionFileException(
          path, "cannot be read: " + Objects.requireNonNullElse(e.getMessage(), e.toString()), e);
    }
  }

  private Content read(FileChannel channel, List<LayerState> layers) throws IOException {
    if (channel.size() < HEADER) {
      throw problem("expected a saved session, found only %d bytes".formatted(channel.size()));
    }
    NumberReader in = new NumberReader(channel);
    if (!Arrays.equals(in.bytes(MAGIC.length), MAGIC)) {
      throw problem("expected a saved session, found another kind of file");
    }
    int version = in.integer();
    if (version != VERSION) {
      throw problem("expected version %d, found %d".formatted(VERSION, version));
    }
    checkModel(in);
    int count = in.integer();
    if (count < 0) {
      throw problem("damaged: expected a number of tokens, found " + count);
    }
    if (count > context) {
      throw problem(
          "expected at most %d tokens, which is the context, found %d".formatted(context, count));
    }
    boolean known = readFlag(in);
    // Before memory is asked for.
    long expected = size(count, known, layers);
    if (channel.size() != expected) {
      throw problem(
          "damaged: expected %d bytes for %d tokens, found %d"
              .formatted(expected, count, channel.size()));
    }
    return readContent(in, count, known, layers);
  }

  private void checkModel(NumberReader in) throws IOException {
    byte[] found = in.bytes(IDENTITY);
    if (!Arrays.equals(found, identity)) {
      throw problem(
          "saved by another model: expected identity %s, found %s"
              .formatted(shown(identity), shown(found)));
    }
    int ordinal = in.integer();
    if (ordinal != type.ordinal()) {
      KeyValueType[] types = KeyValueType.values();
      throw problem(
          "expected a KV cache of %s, found %s"
              .formatted(
                  type,
                  ordinal >= 0 && ordinal < types.length ? types[ordinal] : "type " + ordinal));
    }
  }

  private boolean readFlag(NumberReader in) throws IOException {
    int flag = in.integer();
    if (flag != 0 && flag != 1) {
      throw problem("damaged: expected 0 or 1 for whether there are logits, found " + flag);
    }
    return flag == 1;
  }

  private long size(int count, boolean known, List<LayerState> layers) {
    long bytes = HEADER + (long) count * Integer.BYTES + Integer.BYTES;
    if (known) {
      bytes += (long) vocabularySize * Float.BYTES;
    }
    for (LayerState layer : layers) {
      bytes += layer.storedBytes(count);
    }
    return bytes;
  }

  private Content readContent(NumberReader in, int count, boolean known, List<LayerState> layers)
      throws IOException {
    int[] tokens = in.integers(count);
    float[] logits = null;
    if (known) {
      logits = new float[vocabularySize];
      in.floats(logits, 0, logits.length);
    }
    String notFinite = in.isFinite() ? null : "logits";
    for (int i = 0; i < layers.size(); i++) {
      layers.get(i).read(in, tokens);
      if (notFinite == null && !in.isFinite()) {
        notFinite = "layer " + i;
      }
    }
    if (!in.finish()) {
      throw problem("damaged: its checksum is not that of its content");
    }
    checkTokens(tokens);
    if (notFinite != null) {
      throw problem(notFinite + ": expected finite numbers, found infinities or NaN");
    }
    return new Content(tokens, logits);
  }

  private void checkTokens(int[] tokens) {
    for (int id : tokens) {
      if (id < 0 || id >= vocabularySize) {
        throw problem("expected tokens from 0 to %d, found %d".formatted(vocabularySize - 1, id));
      }
    }
  }

  private static String shown(byte[] identity) {
    return HexFormat.of().formatHex(identity, 0, 8);
  }

  private SessionFileException problem(String problem) {
    return new SessionFileException(path, problem);
  }
}
