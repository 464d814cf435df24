package dev.gdn.kernels.vector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import jdk.incubator.vector.Vector;
import org.junit.jupiter.api.Test;

/**
 * Loops that are warmed up with nothing to do get vectors only from methods that C2 inlines by
 * force: elsewhere it goes by how often it saw a call, and where it does not inline one, the loop
 * has its vectors on the heap for the life of the process.
 */
class ForcedInliningTest {
  /** Their loops are not warmed up. */
  private static final Set<Class<?>> WITH_METHODS =
      Set.of(Float8Rows.class, GroupLanes.class, HalfRows.class, ShortGroupKernel.class);

  /** It looks its conversion up by a method that is inlined only where it is called often. */
  @Test
  void noVectorIsCastByItsElementTypes() throws Exception {
    List<String> calls = new ArrayList<>();
    int conversions = 0;
    for (Path file : KernelClasses.files()) {
      ClassModel type = ClassFile.of().parse(file);
      for (MethodModel method : type.methods()) {
        for (String name : KernelClasses.calledIn(method)) {
          conversions += name.equals("convertShape") ? 1 : 0;
          if (name.equals("castShape")) {
            calls.add(file.getFileName() + "." + method.methodName());
          }
        }
      }
    }
    assertEquals(List.of(), calls);
    // Or else nothing was looked at.
    assertTrue(conversions > 20, "conversions: " + conversions);
  }

  @Test
  void noMethodReturnsAVector() throws Exception {
    Set<String> found = new TreeSet<>();
    Set<String> expected = new TreeSet<>();
    WITH_METHODS.forEach(type -> expected.add(type.getSimpleName()));
    for (Class<?> type : KernelClasses.all()) {
      for (var method : type.getDeclaredMethods()) {
        if (Vector.class.isAssignableFrom(method.getReturnType()) && !method.isSynthetic()) {
          found.add(type.getSimpleName());
        }
      }
    }
    assertEquals(expected, found);
  }
}
