package dev.gdn.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.gdn.model.error.CheckpointException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** GGUF files in two parts. The first two bytes of an input say how long the first part is. */
class SplitGgufFuzzTest {
  private static final InputFile FIRST = new InputFile("m-00001-of-00002.gguf");
  private static final Path SECOND = FIRST.path().resolveSibling("m-00002-of-00002.gguf");
  private static final InputFile SCRATCH = new InputFile("part.gguf");

  static {
    SECOND.toFile().deleteOnExit();
  }

  static Stream<byte[]> samples() {
    byte[] first = GgufSample.part(0, SCRATCH.path());
    byte[] second = GgufSample.part(1, SCRATCH.path());
    return Stream.of(
        ByteBuffer.allocate(2 + first.length + second.length)
            .putShort((short) first.length)
            .put(first)
            .put(second)
            .array());
  }

  @MethodSource("samples")
  @FuzzTest
  void readsOrRefuses(byte[] content) {
    if (content.length < 2) {
      return;
    }
    int length = Short.toUnsignedInt(ByteBuffer.wrap(content).getShort());
    int end = Math.min(content.length, 2 + length);
    Path file = FIRST.write(Arrays.copyOfRange(content, 2, end));
    InputFile.write(SECOND, Arrays.copyOfRange(content, end, content.length));
    Bounds.check(content.length, CheckpointException.class, () -> GgufSample.readContainer(file));
  }
}
