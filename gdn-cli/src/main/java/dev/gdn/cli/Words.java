package dev.gdn.cli;

import java.util.List;
import picocli.CommandLine.Model.CommandSpec;

/** A text given as words of the command line. */
final class Words {
  private Words() {}

  /**
   * The words with spaces between. Behind {@code --} an option is a word like any other, which is
   * more likely a mistake: it is refused where it is not the whole text.
   */
  static String joined(List<String> words, CommandSpec command) {
    if (words.size() > 1) {
      words.forEach(word -> checkNoOption(word, command));
    }
    return String.join(" ", words);
  }

  private static void checkNoOption(String word, CommandSpec command) {
    String name = word.split("=", 2)[0];
    if (command.optionsMap().containsKey(name)) {
      throw new InputException(
          name
              + ": stands behind --, where all is text; options go before --, and a text with the"
              + " name of one goes in quotes");
    }
  }
}
