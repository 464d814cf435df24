package dev.gdn.kernels.vector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.classfile.ClassFile;
import java.lang.classfile.MethodModel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Methods that load vectors from a segment let C2 know its class: {@link StoredRows}. */
class SegmentClassTest {
  @Test
  void everyMethodThatLoadsVectorsAsksTheSegmentFirst() throws Exception {
    List<String> without = new ArrayList<>();
    int found = 0;
    for (Path file : KernelClasses.files()) {
      for (MethodModel method : ClassFile.of().parse(file).methods()) {
        List<String> calls = KernelClasses.calledIn(method);
        int load = calls.indexOf("fromMemorySegment");
        // Shows segments to the API's own code.
        if (load >= 0 && !method.methodName().equalsString("showKindOfSegment")) {
          found++;
          int asked = calls.indexOf("isMapped");
          if (asked < 0 || asked > load) {
            without.add(file.getFileName() + "." + method.methodName());
          }
        }
      }
    }
    assertEquals(List.of(), without);
    // Or else nothing was looked at.
    assertTrue(found > 15, "methods: " + found);
  }
}
