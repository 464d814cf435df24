package dev.gdn.acceptance.models;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gdn.core.concurrent.Workers;
import dev.gdn.demo.DemoModel;
import dev.gdn.model.LanguageModel;
import dev.gdn.model.ModelOptions;
import dev.gdn.model.Session;
import dev.gdn.model.WeightPlacement;
import dev.gdn.model.convert.HubToGguf;
import dev.gdn.model.gguf.FileType;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** 4-bit matrices on the heap, in groups of rows, against the same in the mapped file. */
class WeightPlacementTest {
  private static final int[] PROMPT = {5, 200, 7, 7, 31, 0, 255, 64, 9, 11, 12};

  @TempDir static Path folder;

  private static Path file;

  @BeforeAll
  static void convert() throws IOException {
    file = folder.resolve("demo-Q4_0.gguf");
    HubToGguf.convert(
        DemoModel.extract(), FileType.Q4_0, file, Workers.shared(), (bytes, total) -> {});
  }

  // Sums of products come in another order.
  @ParameterizedTest
  @ValueSource(strings = {"scalar", "vector"})
  void logitsDoNotDependOnIt(String kernels) {
    ModelOptions options = ModelOptions.defaults().withKernels(kernels);
    try (LanguageModel mapped = open(options, WeightPlacement.MAPPED);
        LanguageModel arranged = open(options, WeightPlacement.ARRANGED)) {
      Session expected = mapped.newSession();
      Session actual = arranged.newSession();
      assertNear(expected.prefill(PROMPT), actual.prefill(PROMPT));
      for (int id : PROMPT) {
        assertNear(expected.decode(id), actual.decode(id));
      }
    }
  }

  // Of these, groups of rows meet tokens that are rounded to eight bits.
  @ParameterizedTest
  @EnumSource(
      value = FileType.class,
      names = {"Q4_K_M", "Q5_K_M", "Q6_K"})
  void roundedTokensChangeLogitsLittle(FileType type) throws IOException {
    Path rounded = folder.resolve("demo-" + type + ".gguf");
    HubToGguf.convert(DemoModel.extract(), type, rounded, Workers.shared(), (bytes, total) -> {});
    ModelOptions options = ModelOptions.defaults().withKernels("vector");
    try (LanguageModel mapped =
            LanguageModel.open(rounded, options.withPlacement(WeightPlacement.MAPPED));
        LanguageModel arranged = LanguageModel.open(rounded, options)) {
      float[] expected = mapped.newSession().prefill(PROMPT);
      Session actual = arranged.newSession();
      assertFalse(Arrays.equals(expected, actual.prefill(PROMPT)));
      assertNear(expected, actual.logits(), 3e-2f);
      Session oneByOne = arranged.newSession();
      for (int id : PROMPT) {
        oneByOne.decode(id);
      }
      assertNear(expected, oneByOne.logits(), 3e-2f);
    }
  }

  @Test
  void aSmallModelIsArrangedByItself() {
    ModelOptions options = ModelOptions.defaults();
    try (LanguageModel first = open(options, WeightPlacement.ARRANGED);
        LanguageModel second = open(options, WeightPlacement.AUTO)) {
      assertArrayEquals(
          first.newSession().prefill(PROMPT).clone(), second.newSession().prefill(PROMPT));
    }
  }

  @Test
  void progressIsToldWhereRowsAreLaidOut() {
    List<Long> done = new ArrayList<>();
    List<Long> totals = new ArrayList<>();
    ModelOptions options =
        ModelOptions.defaults()
            .withKernels("vector")
            .withLoadProgress(
                (bytes, total) -> {
                  done.add(bytes);
                  totals.add(total);
                });
    open(options, WeightPlacement.ARRANGED).close();
    assertFalse(done.isEmpty());
    assertEquals(done.stream().sorted().toList(), done);
    assertEquals(totals.getLast(), done.getLast());
    done.clear();
    open(options, WeightPlacement.MAPPED).close();
    assertTrue(done.isEmpty());
  }

  private static LanguageModel open(ModelOptions options, WeightPlacement placement) {
    return LanguageModel.open(file, options.withPlacement(placement));
  }

  private static void assertNear(float[] expected, float[] actual) {
    assertNear(expected, actual, 1e-4f);
  }

  private static void assertNear(float[] expected, float[] actual, float share) {
    float largest = 0;
    for (float logit : expected) {
      largest = Math.max(largest, Math.abs(logit));
    }
    assertArrayEquals(expected, actual, share * largest);
  }
}
