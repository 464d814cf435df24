package dev.gdn.cli;

import dev.gdn.model.LanguageModel;
import dev.gdn.model.generation.GenerationOptions;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** What a generated text has to look like. */
final class ConstraintOption {
  @Option(
      names = "--json-schema",
      paramLabel = "FILE",
      description = "Generate JSON that is valid by this JSON schema.")
  private Path schema;

  GenerationOptions applyTo(GenerationOptions options, LanguageModel model) {
    if (schema == null) {
      return options;
    }
    try {
      return options.withConstraint(model.jsonSchema(TextFile.read(schema, TextFile.SMALL)));
    } catch (IllegalArgumentException e) {
      throw new InputException("%s: %s".formatted(schema, e.getMessage()), e);
    }
  }
}
