package dev.gdn.kernels.vector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.TreeMap;
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
    for (Class<?> type : KernelClasses.all()) {
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
}
