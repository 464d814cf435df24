package dev.gdn.cli;

import dev.gdn.model.LanguageModel;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(name = "tokenize", description = "Prints the token ids of a text, separated by commas.")
final class TokenizeCommand extends BaseCommand {
  @Mixin private ModelPath model;

  @Parameters(
      paramLabel = "TEXT",
      arity = "1..*",
      description = "The text, as words. One that begins with - comes last, after --.")
  private List<String> words;

  @Override
  void run(PrintWriter out) {
    try (LanguageModel opened = LanguageModel.open(model.get())) {
      int[] ids = opened.tokenizer().encode(Words.joined(words, spec()));
      out.println(Arrays.stream(ids).mapToObj(Integer::toString).collect(Collectors.joining(",")));
    }
  }
}
