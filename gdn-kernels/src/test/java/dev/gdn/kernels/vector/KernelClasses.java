package dev.gdn.kernels.vector;

import java.io.IOException;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.InvokeInstruction;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The classes of the vector kernels, as they were compiled. */
final class KernelClasses {
  private KernelClasses() {}

  static List<Class<?>> all() throws Exception {
    List<Class<?>> classes = new ArrayList<>();
    for (Path file : files()) {
      String name = file.getFileName().toString().replace(".class", "");
      classes.add(Class.forName(Lanes.class.getPackageName() + "." + name));
    }
    return classes;
  }

  static List<Path> files() throws IOException, URISyntaxException {
    Path root = Path.of(Lanes.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    Path folder = root.resolve(Lanes.class.getPackageName().replace('.', '/'));
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.toString().endsWith(".class"))
          .filter(file -> !file.getFileName().toString().equals("package-info.class"))
          .toList();
    }
  }

  /** The names of the methods that a method calls, in its order. */
  static List<String> calledIn(MethodModel method) {
    return method.code().stream()
        .flatMap(code -> code.elementStream())
        .filter(InvokeInstruction.class::isInstance)
        .map(element -> ((InvokeInstruction) element).name().stringValue())
        .toList();
  }
}
