package dev.gdn.bench;

import dev.gdn.model.checkpoint.Checkpoint;
import dev.gdn.model.generation.Constraint;
import dev.gdn.model.schema.JsonSchemaConstraint;
import dev.gdn.model.schema.TokenTrie;
import dev.gdn.model.tokenizer.Tokenizer;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/** The sets of tokens that a JSON schema allows, along a short text: milliseconds for all of it. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgsAppend = "--add-modules=jdk.incubator.vector")
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class ConstraintBenchmark {
  private static final String TEXT =
      "{\"name\": \"Ada\", \"plate\": \"AB123\", \"age\": 36, \"ratio\": 0.125, \"tags\": [\"x"
          + " y\"]}";

  private static final String SCHEMA =
      """
      {"type": "object", "properties": {
        "name": {"type": "string"},
        "plate": {"type": "string", "pattern": "^[A-Z]{2}\\\\d{3,4}$"},
        "age": {"type": "integer", "minimum": 0, "maximum": 150},
        "ratio": {"type": "number", "minimum": 0, "exclusiveMaximum": 1},
        "tags": {"type": "array", "items": {"type": "string", "maxLength": 20}}},
       "required": ["name", "plate", "age", "ratio", "tags"]}
      """;

  /** A checkpoint whose vocabulary is used. */
  @Param("")
  public String model;

  private TokenTrie vocabulary;
  private JsonSchemaConstraint known;
  private int[] ids;

  /** For JMH. */
  public ConstraintBenchmark() {}

  /** Reads the vocabulary. */
  @Setup
  public void setUp() {
    Tokenizer tokenizer = Checkpoint.open(Path.of(model)).readTokenizer();
    vocabulary = TokenTrie.of(tokenizer);
    known = JsonSchemaConstraint.of(SCHEMA, vocabulary);
    ids = tokenizer.encode(TEXT);
  }

  /** As the first text of a schema has it: all sets are made. */
  @Benchmark
  public void first(Blackhole out) {
    walk(JsonSchemaConstraint.of(SCHEMA, vocabulary), out);
  }

  /** As later texts have it, which need sets that were made before. */
  @Benchmark
  public void later(Blackhole out) {
    walk(known, out);
  }

  private void walk(Constraint constraint, Blackhole out) {
    Constraint.Matcher matcher = constraint.begin();
    for (int id : ids) {
      out.consume(matcher.allowed());
      matcher.accept(id);
    }
  }
}
