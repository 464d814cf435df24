package dev.gdn.model.error;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class CheckpointExceptionTest {
  private static final Path FILE = Path.of("model.safetensors");

  @Test
  void messageNamesFileSubjectAndProblem() {
    CheckpointException e = new CheckpointException(FILE, "tensor norm.weight", "missing");
    assertEquals("model.safetensors: tensor norm.weight: missing", e.getMessage());
    assertEquals(FILE, e.file());
    assertEquals("tensor norm.weight", e.subject());
  }

  @Test
  void whatAFileSaysIsShortenedAndCannotSteerATerminal() {
    String name = "tensor a\u001b[31m" + "b".repeat(1 << 20) + "\nend";
    String message = new CheckpointException(FILE, name, "found " + name).getMessage();
    assertTrue(message.length() < 1_400, "length " + message.length());
    assertTrue(message.chars().noneMatch(Character::isISOControl), message);
    assertTrue(message.startsWith("model.safetensors: tensor a\uFFFD[31mb"), message);
    assertTrue(message.endsWith("b\uFFFDend"), message);
  }
}
