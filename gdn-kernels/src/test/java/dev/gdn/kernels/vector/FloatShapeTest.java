package dev.gdn.kernels.vector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;
import org.junit.jupiter.api.Test;

/**
 * Vectors of floats have one shape in all kernels. C2 takes the class of a vector from the profile
 * of the Vector API's methods, which all loops share: one loop with vectors half as wide left the
 * sums of others on the heap in a third of the processes.
 */
class FloatShapeTest {
  @Test
  void everySpeciesOfFloatsIsThePreferredOne() throws Exception {
    Map<String, VectorSpecies<?>> species = new TreeMap<>();
    for (Class<?> type : classes()) {
      for (Field field : type.getDeclaredFields()) {
        if (Modifier.isStatic(field.getModifiers()) && field.getType() == VectorSpecies.class) {
          field.setAccessible(true);
          species.put(type.getSimpleName() + "." + field.getName(), speciesIn(field));
        }
      }
    }
    species.values().removeIf(one -> one.elementType() != float.class);
    assertTrue(species.size() >= 2, species::toString);
    species.forEach((name, one) -> assertEquals(FloatVector.SPECIES_PREFERRED, one, name));
  }

  private static VectorSpecies<?> speciesIn(Field field) throws IllegalAccessException {
    return (VectorSpecies<?>) field.get(null);
  }

  private static List<Class<?>> classes() throws Exception {
    List<Class<?>> classes = new ArrayList<>();
    for (Path file : classFiles()) {
      String name = file.getFileName().toString().replace(".class", "");
      classes.add(Class.forName(Lanes.class.getPackageName() + "." + name));
    }
    return classes;
  }

  private static List<Path> classFiles() throws IOException, URISyntaxException {
    Path root = Path.of(Lanes.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    Path folder = root.resolve(Lanes.class.getPackageName().replace('.', '/'));
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.toString().endsWith(".class"))
          .filter(file -> !file.getFileName().toString().equals("package-info.class"))
          .toList();
    }
  }
}
