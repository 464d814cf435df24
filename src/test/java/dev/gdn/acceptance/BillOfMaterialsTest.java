package dev.gdn.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What the artifacts bring along, by the bill of materials that the build has written: nothing that
 * is not listed here, and all of it under a licence that asks for no more than a notice.
 */
class BillOfMaterialsTest {
  private static final Set<String> LICENCES = Set.of("Apache-2.0", "MIT", "BSD-3-Clause");

  /** What the plugin takes a POM's "The BSD License" for, whatever that links to. */
  private static final String BSD = "BSD-4-Clause";

  private static final String THREE_CLAUSES =
      "<url>https://opensource.org/licenses/BSD-3-Clause</url>";

  @ParameterizedTest
  @CsvSource({
    "gdn-core, ''",
    "gdn-kernels, gdn-core",
    "gdn-demo, ''",
    "gdn-model,"
        + " gdn-core gdn-kernels jackson-annotations jackson-core jackson-databind slf4j-api",
    "gdn-cli,"
        + " gdn-core gdn-demo gdn-kernels gdn-model jackson-annotations jackson-core"
        + " jackson-databind jline-reader jline-terminal picocli progressbar slf4j-api"
        + " slf4j-jdk-platform-logging slf4j-simple",
    "gdn-langchain4j,"
        + " gdn-core gdn-kernels gdn-model jackson-annotations jackson-core jackson-databind"
        + " jspecify langchain4j-core slf4j-api"
  })
  void whatIsBroughtAlongIsKnownAndFree(String module, String expected) throws IOException {
    Path file = Reactor.ROOT.resolve(module).resolve("target/bom.json");
    assumeTrue(Files.exists(file), "Maven writes no bill of materials while it is offline");
    JsonNode bom = new ObjectMapper().readTree(file.toFile());
    Set<String> names = new TreeSet<>();
    for (JsonNode component : bom.path("components")) {
      String name = component.path("name").asText();
      names.add(name);
      assertLicensed(component);
      assertFalse(component.path("version").asText().isBlank(), name);
      assertTrue(component.path("hashes").size() > 0, name + " has no hash");
    }
    assertEquals(expected, String.join(" ", names));
    assertLicensed(bom.path("metadata").path("component"));
  }

  // Of several licences one may be chosen.
  private static void assertLicensed(JsonNode component) throws IOException {
    Set<String> found = new TreeSet<>();
    for (JsonNode entry : component.path("licenses")) {
      String id = entry.path("license").path("id").asText();
      found.add(id.equals(BSD) && pom(component).contains(THREE_CLAUSES) ? "BSD-3-Clause" : id);
    }
    assertTrue(
        found.stream().anyMatch(LICENCES::contains),
        component.path("name").asText() + ": licences " + found);
  }

  /** The POM of an artifact, which lies beside its jar in Maven's repository. */
  private static String pom(JsonNode component) throws IOException {
    String jar =
        "%s-%s.jar".formatted(component.path("name").asText(), component.path("version").asText());
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      Path file = Path.of(entry);
      if (file.endsWith(jar)) {
        return Files.readString(file.resolveSibling(jar.replaceFirst("jar$", "pom")));
      }
    }
    throw new AssertionError(jar + " is not on the class path");
  }
}
