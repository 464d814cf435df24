package dev.gdn.kernels;

import static dev.gdn.kernels.ShortConvolutionTest.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gdn.core.kernel.KernelChoice;
import java.text.MessageFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/** What runs where the module of the Vector API was added, and where it was not. */
class KernelChoiceTest {
  private static final boolean VECTOR =
      ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent();

  @Test
  void fastestIsTakenAndItsAbsenceReportedOnce() {
    Logger logger = Logger.getLogger(KernelChoice.class.getName());
    Messages messages = new Messages();
    logger.addHandler(messages);
    try {
      String expected = VECTOR ? "vector" : "scalar";
      assertEquals(expected, KernelChoice.fastest().name());
      assertEquals(expected, KernelChoice.fastest().name());
    } finally {
      logger.removeHandler(messages);
    }
    if (VECTOR) {
      assertEquals(List.of(), messages.texts);
    } else {
      assertEquals(1, messages.texts.size());
      assertTrue(messages.texts.getFirst().contains("--add-modules"), messages.texts.getFirst());
    }
  }

  @Test
  void unknownAndUnavailableKernelsAreRefused() {
    refused(() -> KernelChoice.named("fast"), "expected auto or one of [vector, scalar]");
    if (!VECTOR) {
      refused(() -> KernelChoice.named("vector"), "--add-modules jdk.incubator.vector");
    }
  }

  private static final class Messages extends Handler {
    final List<String> texts = new ArrayList<>();

    @Override
    public void publish(LogRecord message) {
      Object[] parameters = message.getParameters();
      texts.add(MessageFormat.format(message.getMessage(), parameters));
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
