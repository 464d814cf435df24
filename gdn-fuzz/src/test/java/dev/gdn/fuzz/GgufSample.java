package dev.gdn.fuzz;

import dev.gdn.core.tensor.Shape;
import dev.gdn.model.checkpoint.Checkpoint;
import dev.gdn.model.checkpoint.WeightSource;
import dev.gdn.model.gguf.GgmlType;
import dev.gdn.model.gguf.GgufArray;
import dev.gdn.model.gguf.GgufFile;
import dev.gdn.model.gguf.GgufTensor;
import dev.gdn.model.gguf.GgufValue;
import dev.gdn.model.gguf.GgufWriter;
import dev.gdn.model.tokenizer.Tokenizer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Small GGUF files with everything but the weights of a model, and what can be read from them. */
final class GgufSample {
  private GgufSample() {}

  /**
   * The metadata of a model with two small tensors.
   *
   * @param model a GGUF file
   * @param scratch a file to write to
   */
  static byte[] of(Path model, Path scratch) {
    GgufWriter writer = new GgufWriter();
    try (GgufFile file = GgufFile.open(model)) {
      for (Map.Entry<String, GgufValue> entry : file.metadata().values().entrySet()) {
        writer.put(entry.getKey(), entry.getValue());
      }
      return written(withTensors(writer, ""), scratch);
    }
  }

  /** One part of a file in two parts. */
  static byte[] part(int number, Path scratch) {
    GgufWriter writer =
        new GgufWriter()
            .put("split.no", GgufValue.of(number))
            .put("split.count", GgufValue.of(2))
            .put("split.tensors.count", GgufValue.of(4));
    if (number == 0) {
      writer.put("some.names", GgufValue.of(GgufArray.ofStrings(List.of("a"))));
    }
    return written(withTensors(writer, number + "."), scratch);
  }

  private static GgufWriter withTensors(GgufWriter writer, String prefix) {
    return writer
        .tensor(prefix + "norm", GgmlType.F32, new Shape(4), MemorySegment.ofArray(new float[4]))
        .tensor(
            prefix + "weight",
            GgmlType.Q8_0,
            new Shape(2, 32),
            MemorySegment.ofArray(new byte[68]));
  }

  private static byte[] written(GgufWriter writer, Path scratch) {
    try {
      writer.write(scratch, (bytes, total) -> {});
      return Samples.bytes(scratch);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Reads every tensor. */
  static void readContainer(Path path) {
    try (GgufFile file = GgufFile.open(path)) {
      for (GgufTensor tensor : file.tensors().values()) {
        tensor.toStored().toFloats();
      }
    }
  }

  /** Reads what makes the file a checkpoint. */
  static void readModel(Path path) {
    Checkpoint checkpoint = Checkpoint.open(path);
    checkpoint.readChatTemplates();
    Tokenizer tokenizer = checkpoint.readTokenizer();
    tokenizer.decode(tokenizer.encode("A text, 1 for all: größer <|im_end|>\n"));
    try (WeightSource weights = checkpoint.openWeights()) {
      weights.location();
    }
  }
}
