package example;

import dev.gdn.demo.DemoModel;
import dev.gdn.model.LanguageModel;
import dev.gdn.model.generation.GenerationOptions;
import java.nio.file.Path;

class Embed {
  public static void main(String[] args) {
    Path checkpoint = DemoModel.extract(); // or a folder from a model hub: Path.of(...)
    try (LanguageModel model = LanguageModel.open(checkpoint)) {
      GenerationOptions options = GenerationOptions.defaults().withMaxTokens(60).withSeed(1);
      String prompt = "Once upon a time";
      System.out.print(prompt);
      model.generate(prompt, options, System.out::print);
      System.out.println();
    }
  }
}
