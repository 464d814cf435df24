package dev.gdn.cli;

import dev.gdn.core.kernel.KernelChoice;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The subcommands, in the order of the help. */
enum Subcommand {
  GENERATE(GenerateCommand.class, true),
  CHAT(ChatCommand.class, true),
  FORWARD(ForwardCommand.class, true),
  PERPLEXITY(PerplexityCommand.class, true),
  TOKENIZE(TokenizeCommand.class, false),
  TEMPLATE(TemplateCommand.class, false),
  INSPECT(InspectCommand.class, false),
  RULE(RuleCommand.class, false),
  CONVERT(ConvertCommand.class, false),
  SYNTH(SynthCommand.class, false),
  BENCH(BenchCommand.class, true);

  private final Class<? extends BaseCommand> type;
  private final boolean runsModel;

  Subcommand(Class<? extends BaseCommand> type, boolean runsModel) {
    this.type = type;
    this.runsModel = runsModel;
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

  /**
   * Lets kernels get ready while the command line and the checkpoint are read, where a model is
   * going to run and the user leaves the choice of the kernels to the library.
   */
  static void prepare(String[] args) {
    Subcommand first = first(args);
    if (first != null && first.runsModel && !decidesOtherwise(args)) {
      Thread.ofPlatform().daemon().name("gdn-prepare").start(Subcommand::prepareKernels);
    }
  }

  private static void prepareKernels() {
    KernelChoice.fastest().prepare(Set.of());
  }

  private static boolean decidesOtherwise(String[] args) {
    for (String arg : args) {
      if (arg.startsWith("--kernels") || arg.equals("--help") || arg.equals("-h")) {
        return true;
      }
    }
    return false;
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
