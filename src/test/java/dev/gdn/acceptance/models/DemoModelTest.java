package dev.gdn.acceptance.models;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gdn.demo.DemoModel;
import dev.gdn.model.LanguageModel;
import dev.gdn.model.Perplexity;
import dev.gdn.model.generation.GenerationOptions;
import dev.gdn.model.generation.GenerationResult;
import dev.gdn.model.safetensors.SafetensorsFile;
import dev.gdn.model.safetensors.SafetensorsTensor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The demonstration model against the figures of the code it was trained with. */
class DemoModelTest {
  private static final Path EXPECTED = Path.of("resources/fixtures/demo-model");
  private static LanguageModel model;

  @BeforeAll
  static void open() {
    model = LanguageModel.open(DemoModel.extract());
  }

  @AfterAll
  static void close() {
    model.close();
  }

  @Test
  void likelihoodOfTheEvaluationTextIsTheReferences() {
    try (SafetensorsFile file = SafetensorsFile.open(EXPECTED.resolve("expected.safetensors"))) {
      Map<String, SafetensorsTensor> tensors = file.tensors();
      int[] ids =
          Arrays.stream(tensors.get("eval_ids").toLongs()).mapToInt(Math::toIntExact).toArray();
      double expected = Arrays.stream(tensors.get("eval_nll").toDoubles()).average().orElseThrow();
      Perplexity perplexity = Perplexity.measure(model, ids, (done, total) -> {});
      assertEquals(4095, perplexity.tokens());
      assertEquals(expected, perplexity.meanNegativeLogLikelihood(), 1e-4);
    }
  }

  @Test
  void greedyContinuationsAreTheReferencesWordForWord() throws IOException {
    JsonNode report = new ObjectMapper().readTree(EXPECTED.resolve("report.json").toFile());
    for (JsonNode greedy : report.get("greedy")) {
      String prompt = greedy.get("prompt").asText();
      StringBuilder streamed = new StringBuilder();
      GenerationResult result =
          model.generate(
              prompt,
              GenerationOptions.greedy().withMaxTokens(greedy.get("greedy_ids").size()),
              streamed::append);
      assertEquals(greedy.get("greedy_text").asText(), prompt + result.text());
      assertEquals(result.text(), streamed.toString());
    }
  }

  // The model has 4096 ids, its tokenizer 4035.
  @Test
  void idsThatNoTokenHasAreGeneratedWithoutText() {
    GenerationOptions options =
        GenerationOptions.defaults()
            .withMaxTokens(200)
            .withTemperature(1e6f)
            .withTopK(0)
            .withTopP(1)
            .withSeed(1);
    GenerationResult result = model.generate("Once upon a time", options, text -> {});
    int tokens = model.tokenizer().vocabularySize();
    List<Integer> known = result.tokens().stream().filter(id -> id < tokens).toList();
    assertNotEquals(known, result.tokens());
    int[] ids = known.stream().mapToInt(Integer::intValue).toArray();
    assertEquals(model.tokenizer().decode(ids), result.text());
  }
}
