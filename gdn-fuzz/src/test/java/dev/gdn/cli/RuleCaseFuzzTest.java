package dev.gdn.cli;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.gdn.core.batch.RuleShape;
import dev.gdn.core.tensor.Shape;
import dev.gdn.fuzz.Bounds;
import dev.gdn.fuzz.InputFile;
import dev.gdn.model.error.CheckpointException;
import dev.gdn.model.safetensors.SafetensorsFile;
import dev.gdn.model.safetensors.SafetensorsWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Cases of the rule as {@code gdn rule} reads them, and runs them where that is little work. */
class RuleCaseFuzzTest {
  private static final InputFile FILE = new InputFile("case.safetensors");

  /** Numbers in a state up to which a case is run: states may be far larger than their inputs. */
  private static final long SMALL = 1 << 12;

  private static final Options OPTIONS = new Options();

  @Command
  private static final class Options {
    @Mixin private RuleOptions rule;
    @Mixin private KernelOptions kernels;
  }

  @BeforeAll
  static void setOptions() {
    new CommandLine(OPTIONS)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .parseArgs("--kernels=scalar", "--threads=1");
  }

  static Stream<byte[]> samples() throws IOException {
    return Stream.of(sample("gated_delta_rule"), sample("gated_delta_rule_backward"));
  }

  private static byte[] sample(String operation) throws IOException {
    SafetensorsWriter writer = new SafetensorsWriter();
    writer.metadata("op", operation).metadata("scale", "0.5").metadata("qk_l2norm", "true");
    add(writer, "q", 1, 3, 1, 2);
    add(writer, "k", 1, 3, 1, 2);
    add(writer, "v", 1, 3, 2, 2);
    add(writer, "g", 1, 3, 2);
    add(writer, "beta", 1, 3, 2);
    add(writer, "do", 1, 3, 2, 2);
    add(writer, "initial_state", 1, 2, 2, 2);
    writer.write(FILE.path());
    return Files.readAllBytes(FILE.path());
  }

  private static void add(SafetensorsWriter writer, String name, long... dimensions) {
    Shape shape = new Shape(dimensions);
    float[] values = new float[Math.toIntExact(shape.elements())];
    Arrays.fill(values, -0.25f);
    writer.add(name, shape, values);
  }

  @MethodSource("samples")
  @FuzzTest
  void readsOrRefuses(byte[] content) {
    Path file = FILE.write(content);
    Bounds.check(content.length, CheckpointException.class, () -> run(file));
  }

  private static void run(Path path) {
    try (SafetensorsFile file = SafetensorsFile.open(path)) {
      if (RuleCase.reasonToPassOver(file).isPresent()) {
        return;
      }
      RuleCase input = RuleCase.read(file, OPTIONS.rule);
      RuleShape shape = input.batch().shape();
      long state = (long) input.batch().sequences() * shape.valueHeads() * shape.keyWidth();
      if (state * shape.valueWidth() <= SMALL) {
        new RuleRun(OPTIONS.kernels, OPTIONS.rule).run(input);
      }
    }
  }
}
