package dev.gdn.cli;

import dev.gdn.demo.DemoModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A model that computes what is no number: no command makes results of that. */
class DamagedModelTest {
  private static final byte[] NAN = {(byte) 0xC0, 0x7F};

  @TempDir Path folder;

  /** The last number of the last weight is none. */
  @BeforeEach
  void copy() throws IOException {
    try (Stream<Path> files = Files.list(DemoModel.extract())) {
      for (Path file : files.toList()) {
        byte[] content = Files.readAllBytes(file);
        if (file.toString().endsWith("00002-of-00002.safetensors")) {
          System.arraycopy(NAN, 0, content, content.length - NAN.length, NAN.length);
        }
        Files.write(folder.resolve(file.getFileName()), content);
      }
    }
  }

  private void assertRefused(String command, Object... arguments) {
    Object[] all = new Object[arguments.length + 3];
    all[0] = command;
    all[1] = "--model";
    all[2] = folder;
    System.arraycopy(arguments, 0, all, 3, arguments.length);
    Called.with(all).assertRefused("finite number", "weights");
  }

  @Test
  void logitsAreNotWritten() {
    for (String mode : new String[] {"prefill", "decode", "mixed:2"}) {
      Path out = folder.resolve("out.safetensors");
      assertRefused("forward", "--ids", "1,2,3", "--mode", mode, "--out", out);
    }
  }

  @Test
  void speedIsNotTold() {
    assertRefused("bench", "-p", 8, "-n", 2, "-r", 1);
    assertRefused("bench", "--state", "-p", 8, "-n", 2, "-r", 1);
  }
}
