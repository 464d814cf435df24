package dev.gdn.cli;

import dev.gdn.core.kernel.KeyValueType;
import picocli.CommandLine.Option;

/** How keys and values of past tokens are held. */
final class CacheOption {
  @Option(
      names = "--kv-cache",
      paramLabel = "TYPE",
      defaultValue = "F32",
      description =
          "F32, or F16: half the memory and faster in a long context, less exact; F32 if none.")
  private KeyValueType type;

  KeyValueType type() {
    return type;
  }
}
