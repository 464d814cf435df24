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
      model.generate("Once upon a time", options, System.out::print);
    }
  }
}
