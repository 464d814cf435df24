package dev.gdn.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gdn.demo.DemoModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ArgumentsTest {
  @TempDir Path folder;

  @Test
  void textThatBeginsWithAnAtSignIsText() throws IOException {
    Path file = Files.writeString(folder.resolve("arguments"), "--help");
    assertTrue(Called.with("tokenize", "@" + file).assertDone().out().matches("\\d+(,\\d+)+\\R"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", ",", ",,", "1,,2", "1,2,", ",1", "１,2", "-1", "+1", "1, 2", "2147483648"})
  void listsThatAreNoTokenIdsAreRefused(String ids) {
    Called.with("forward", "--ids=" + ids, "--out", folder.resolve("out"))
        .assertRefused("--ids: expected token ids");
  }

  @Test
  void contextIsCheckedBeforeMemoryIsTaken() {
    String ids = String.join(",", Collections.nCopies(400_000, "1"));
    Called.with("forward", "--ids", ids, "--out", folder.resolve("out"))
        .assertRefused("context", "400000");
  }

  @Test
  void textThatIsTakenForAnOptionIsToldApart() {
    Called.with("tokenize", "-x").assertRefused("TEXT", "goes after --");
    Called.with("generate", "- hello").assertRefused("- hello", "goes after --");
    Called.with("generate", "--greeedy", "hello").assertRefused("did you mean --greedy");
    Called twice = Called.with("generate", "--prompt", "x", "Once upon a time");
    assertEquals(2, twice.code());
    assertFalse(twice.err().contains("goes after --"), twice.err());
    assertEquals("12,87", Called.with("tokenize", "--", "-x").assertDone().out().strip());
  }

  @Test
  void optionsBehindTheEndOfOptionsAreRefused() {
    Called.with("generate", "--", "-x", "--max-tokens", "5")
        .assertRefused("--max-tokens: stands behind --", "quotes");
    Called.with("generate", "--", "-x", "-n=5").assertRefused("-n: stands behind --");
    Called.with("tokenize", "--", "a", "--model", "b").assertRefused("--model: stands behind --");
    String text = "-x --max-tokens 5";
    String ids = Called.with("tokenize", "--", text).assertDone().out();
    assertEquals(ids, Called.with("tokenize", "--", "-x --max-tokens", "5").assertDone().out());
  }

  @Test
  void greedyWithATemperatureIsRefused() {
    Called.with("generate", "--greedy", "--temperature", "0.8", "hello")
        .assertRefused("--greedy", "--temperature 0.8");
  }

  @Test
  void emptyPathsAreRefused() {
    Called.with("forward", "--ids", "1", "--out", "").assertRefused("--out", "found nothing");
  }

  @Test
  void promptIsNotPrintedBeforeTheTokenizerIsFound() throws IOException {
    try (Stream<Path> files = Files.list(DemoModel.extract())) {
      for (Path file : files.filter(f -> !f.endsWith("tokenizer.json")).toList()) {
        Files.copy(file, folder.resolve(file.getFileName()));
      }
    }
    Called.with("generate", "--model", folder, "hello").assertRefused(folder, "tokenizer");
  }

  /** What computes with a model takes more options than what reads its vocabulary. */
  @Test
  void aCommandOffersWhatItHeeds() {
    String help = Called.with("tokenize", "--help").assertDone().out();
    for (String option : new String[] {"--context", "--kv-cache", "--kernels", "--threads"}) {
      assertTrue(Called.with("generate", "--help").assertDone().out().contains(option), option);
      assertFalse(help.contains(option), option);
    }
    assertTrue(help.contains("--model"), help);
  }
}
