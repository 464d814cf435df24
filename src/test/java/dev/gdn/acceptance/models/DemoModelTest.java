package dev.gdn.acceptance.models;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gdn.demo.DemoModel;
import dev.gdn.model.LanguageModel;
import dev.gdn.model.generation.GenerationOptions;
import dev.gdn.model.generation.GenerationResult;
import dev.gdn.model.generation.Perplexity;
import dev.gdn.model.safetensors.SafetensorsFile;
import dev.gdn.model.safetensors.SafetensorsTensor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
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
}
