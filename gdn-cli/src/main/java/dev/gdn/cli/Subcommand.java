package dev.gdn.cli;

import java.util.List;
import java.util.Locale;

/** The subcommands, in the order of the help. */
enum Subcommand {
  GENERATE(GenerateCommand.class),
  CHAT(ChatCommand.class),
  FORWARD(ForwardCommand.class),
  PERPLEXITY(PerplexityCommand.class),
  TOKENIZE(TokenizeCommand.class),
  TEMPLATE(TemplateCommand.class),
  INSPECT(InspectCommand.class),
  RULE(RuleCommand.class),
  CONVERT(ConvertCommand.class),
  SYNTH(SynthCommand.class),
  BENCH(BenchCommand.class);

  private final Class<? extends BaseCommand> type;

  Subcommand(Class<? extends BaseCommand> type) {
    this.type = type;
  }

  Class<? extends BaseCommand> type() {
    return type;
  }

  /**
   * Which of them a command line needs: the one that it begins with, or all, to say what there is.
   * In a fresh JVM each takes a while to set up.
   */
  static List<Subcommand> needed(String[] args) {
    Subcommand first = first(args);
    return first == null ? List.of(values()) : List.of(first);
  }

  // Loops, for streams take a while in a JVM that has just started.
  private static Subcommand first(String[] args) {
    for (Subcommand command : values()) {
      if (args.length > 0 && args[0].equals(command.commandName())) {
        return command;
      }
    }
    return null;
  }

  /** As the user writes it. */
  String commandName() {
    return name().toLowerCase(Locale.ROOT);
  }
}
