package dev.gdn.kernels.vector;

import dev.gdn.core.tensor.DataType;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A program that computes with rows of a mapped file until C2 has compiled it, cuts the file short
 * and goes on. It prints what becomes of each type, in a JVM of its own, as that may end.
 */
final class TruncatedMapping {
  private static final int ROWS = 4;
  private static final int COUNT = 512;
  private static final int CALLS = 15_000;

  private TruncatedMapping() {}

  public static void main(String[] arguments) throws IOException {
    for (DataType type : DataType.values()) {
      StoredRows rows = StoredRows.of(type);
      float[] target = new float[COUNT];
      check(type + " decode", type, data -> rows.decode(data, 0, target, 0, COUNT));
      float[] lanes = new float[ROWS * MatrixLanes.LENGTH];
      long rowBytes = type.bytes(COUNT);
      check(
          type + " dot", type, data -> rows.dots(data, 0, rowBytes, ROWS, target, 0, COUNT, lanes));
    }
  }

  private interface Use {
    void of(MemorySegment data);
  }

  private static void check(String name, DataType type, Use use) throws IOException {
    Path path = Files.createTempFile("gdn", ".row");
    try (FileChannel file =
            FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
        Arena arena = Arena.ofShared()) {
      MemorySegment data = file.map(MapMode.READ_WRITE, 0, ROWS * type.bytes(COUNT), arena);
      for (int i = 0; i < CALLS; i++) {
        use.of(data);
      }
      file.truncate(0);
      System.out.println(name + ": " + outcome(use, data));
    } finally {
      Files.delete(path);
    }
  }

  private static String outcome(Use use, MemorySegment data) {
    try {
      use.of(data);
      return "nothing";
    } catch (InternalError fault) {
      return fault.getMessage().contains("unsafe memory access") ? "fault" : fault.toString();
    }
  }
}
