package dev.gdn.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine.Command;

class SubcommandTest {
  @ParameterizedTest
  @EnumSource
  void isFoundByTheNameThatItIsCalledBy(Subcommand command) {
    String name = command.type().getAnnotation(Command.class).name();
    assertEquals(name, command.commandName());
    assertEquals(List.of(command), Subcommand.needed(new String[] {name, "--help"}));
  }

  @Test
  void allAreNeededToSayWhatThereIs() {
    List<Subcommand> all = List.of(Subcommand.values());
    assertEquals(all, Subcommand.needed(new String[] {}));
    assertEquals(all, Subcommand.needed(new String[] {"--help"}));
    assertEquals(all, Subcommand.needed(new String[] {"generat"}));
    assertEquals(all, Subcommand.needed(new String[] {"--verbose", "generate"}));
  }
}
