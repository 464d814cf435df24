package dev.gdn.acceptance.command;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Bad input ends with exit code 2 and one line that names the file and what is wrong in it, without
 * a stack trace.
 */
class BadInputTest {
  private static final Path WHOLE = Path.of("resources/fixtures/models/qwen3_5_gva3_tied");
  private static final String TENSOR = "model.layers.0.mlp.gate_proj.weight";
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir Path folder;
  private Path config;
  private Path weights;
  private Path out;

  @BeforeEach
  void copy() throws IOException {
    config = Files.copy(WHOLE.resolve("config.json"), folder.resolve("config.json"));
    weights = Files.copy(WHOLE.resolve("model.safetensors"), folder.resolve("model.safetensors"));
    out = folder.resolve("out.safetensors");
  }

  private void assertForwardRefused(Object... said) throws Exception {
    Gdn.run("forward", "--model", folder, "--ids", "1,2", "--out", out).assertRefused(said);
  }

  @Test
  void truncatedWeights() throws Exception {
    byte[] whole = Files.readAllBytes(weights);
    Files.write(weights, Arrays.copyOf(whole, whole.length - 1));
    assertForwardRefused(weights, "tensor ");
  }

  @Test
  void flippedBitInTheHeader() throws Exception {
    byte[] whole = Files.readAllBytes(weights);
    whole[8] ^= 1;
    Files.write(weights, whole);
    assertForwardRefused(weights, "header");
  }

  @Test
  void headerLongerThanTheFile() throws Exception {
    ByteBuffer whole = ByteBuffer.wrap(Files.readAllBytes(weights)).order(ByteOrder.LITTLE_ENDIAN);
    whole.putLong(0, whole.capacity());
    Files.write(weights, whole.array());
    assertForwardRefused(weights, "header length", whole.capacity());
  }

  @Test
  void overlappingTensors() throws Exception {
    changeHeader(
        header -> header.set(TENSOR, header.get("model.layers.0.mlp.up_proj.weight").deepCopy()));
    assertForwardRefused(weights, "tensor ", "mlp");
  }

  @Test
  void offsetsBeyondTheFile() throws Exception {
    long size = Files.size(weights);
    changeHeader(
        header ->
            ((ObjectNode) header.get(TENSOR))
                .putArray("data_offsets")
                .add(size)
                .add(size + 2 * 96 * 64));
    assertForwardRefused(weights, TENSOR, size);
  }

  @Test
  void tensorOfAnotherType() throws Exception {
    changeHeader(header -> ((ObjectNode) header.get(TENSOR)).put("dtype", "I16"));
    assertForwardRefused(weights, TENSOR, "I16");
  }

  @Test
  void tensorOfAnotherShape() throws Exception {
    changeConfig(root -> root.put("intermediate_size", 48));
    assertForwardRefused(weights, "mlp", "[48, ");
  }

  @Test
  void unknownTensor() throws Exception {
    changeHeader(
        header ->
            header
                .putObject("model.layers.0.mystery")
                .put("dtype", "F32")
                .<ObjectNode>set("shape", JSON.createArrayNode().add(0))
                .putArray("data_offsets")
                .add(0)
                .add(0));
    assertForwardRefused(weights, "model.layers.0.mystery");
  }

  @Test
  void missingShard() throws Exception {
    Files.delete(weights);
    Files.writeString(
        folder.resolve("model.safetensors.index.json"),
        "{\"weight_map\": {\"%s\": \"model-00001-of-00002.safetensors\"}}".formatted(TENSOR));
    assertForwardRefused("model-00001-of-00002.safetensors");
  }

  @Test
  void unknownModelType() throws Exception {
    changeConfig(root -> root.put("model_type", "mamba"));
    assertForwardRefused(config, "model_type", "mamba");
  }

  @Test
  void missingFolder() throws Exception {
    Path missing = folder.resolve("missing");
    Gdn.run("inspect", missing).assertRefused(missing);
  }

  @Test
  void idOutsideTheVocabulary() throws Exception {
    Gdn.run("forward", "--model", folder, "--ids", "1,70000", "--out", out).assertRefused("70000");
  }

  @Test
  void fullContext() throws Exception {
    Gdn.run("forward", "--model", folder, "--context", 2, "--ids", "1,2,3", "--out", out)
        .assertRefused("context", "2");
  }

  @Test
  void emptyPrompt() throws Exception {
    Gdn.run("generate", "--prompt", "").assertRefused("prompt");
  }

  @Test
  void modeThatIsNone() throws Exception {
    Gdn.run("forward", "--ids", "1,2", "--mode", "mixed:-3", "--out", out)
        .assertRefused("--mode", "mixed:-3");
  }

  @Test
  void optionThatIsNone() throws Exception {
    Gdn.run("generate", "--greeedy", "text").assertRefused("--greeedy", "--greedy");
  }

  @Test
  void caseOfAnotherOperation() throws Exception {
    Path norms = Path.of("resources/fixtures/ops/norms.safetensors");
    Gdn.run("rule", "--in", norms, "--out", out).assertRefused(norms, "op");
  }

  @Test
  void resultThatCannotBeWritten() throws Exception {
    Path nowhere = folder.resolve("no/such/folder.safetensors");
    Gdn.run("forward", "--model", folder, "--ids", "1", "--out", nowhere).assertRefused(nowhere);
  }

  private void changeConfig(Consumer<ObjectNode> change) throws IOException {
    ObjectNode root = (ObjectNode) JSON.readTree(config.toFile());
    change.accept(root);
    JSON.writeValue(config.toFile(), root);
  }

  private void changeHeader(Consumer<ObjectNode> change) throws IOException {
    ByteBuffer whole = ByteBuffer.wrap(Files.readAllBytes(weights)).order(ByteOrder.LITTLE_ENDIAN);
    int length = (int) whole.getLong(0);
    ObjectNode header = (ObjectNode) JSON.readTree(whole.array(), 8, length);
    change.accept(header);
    byte[] changed = JSON.writeValueAsBytes(header);
    int data = whole.capacity() - 8 - length;
    ByteBuffer target =
        ByteBuffer.allocate(8 + changed.length + data).order(ByteOrder.LITTLE_ENDIAN);
    target.putLong(changed.length).put(changed).put(whole.array(), 8 + length, data);
    Files.write(weights, target.array());
  }
}
