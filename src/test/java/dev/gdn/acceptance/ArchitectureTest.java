package dev.gdn.acceptance;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Arrows between modules and packages point one way, and dependencies stay few and pure Java. */
class ArchitectureTest {
  private static final Pattern NATIVE = Pattern.compile(".*\\.(so|dll|dylib|jnilib)(\\.\\d+)*");

  private static final String MAIN_SOURCES = Path.of("src/main/java").toString() + File.separator;

  private static JavaClasses classes;

  @BeforeAll
  static void read() {
    classes =
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages(
                "dev.gdn.core",
                "dev.gdn.kernels",
                "dev.gdn.model",
                "dev.gdn.cli",
                "dev.gdn.langchain4j");
    for (String module : List.of("core", "kernels", "model", "cli", "langchain4j")) {
      String prefix = "dev.gdn." + module + ".";
      assertTrue(
          classes.stream().anyMatch(c -> c.getName().startsWith(prefix)), "no class of " + prefix);
    }
  }

  @Test
  void coreDependsOnTheJdkAlone() {
    check(onlyDependsOn("dev.gdn.core..", "java..", "dev.gdn.core.."));
  }

  @Test
  void kernelsDependOnCoreAlone() {
    check(
        onlyDependsOn(
            "dev.gdn.kernels..",
            "java..",
            "jdk.incubator.vector..",
            "dev.gdn.core..",
            "dev.gdn.kernels.."));
  }

  @Test
  void vectorKernelsAloneUseTheVectorApi() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackage("dev.gdn.kernels.vector..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("jdk.incubator.."));
  }

  @Test
  void modelKnowsNeitherKernelsNorCommand() {
    check(
        noClasses()
            .that()
            .resideInAPackage("dev.gdn.model..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.gdn.kernels..", "dev.gdn.cli.."));
  }

  @Test
  void nothingKnowsTheCommand() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackage("dev.gdn.cli..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.gdn.cli.."));
  }

  @Test
  void theAdapterAloneKnowsItsFramework() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackage("dev.gdn.langchain4j..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.langchain4j..", "dev.gdn.langchain4j.."));
  }

  @Test
  void packagesFormNoCycles() {
    check(slices().matching("dev.gdn.(**)").should().beFreeOfCycles());
  }

  @Test
  void everyPackageSaysWhatItIs() throws IOException {
    TreeSet<Path> silent = new TreeSet<>();
    for (Path source : Reactor.javaSources()) {
      Path folder = source.getParent();
      boolean isExample = Reactor.ROOT.relativize(folder).startsWith("examples");
      if (!isExample
          && folder.toString().contains(MAIN_SOURCES)
          && !Files.exists(folder.resolve("package-info.java"))) {
        silent.add(Reactor.ROOT.relativize(folder));
      }
    }
    assertEquals(new TreeSet<>(), silent, "packages without package-info.java");
  }

  @Test
  void noDependencyBringsNativeCode() throws IOException {
    List<String> found = new ArrayList<>();
    int jars = 0;
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      if (entry.endsWith(".jar")) {
        jars++;
        try (JarFile jar = new JarFile(entry)) {
          jar.stream()
              .map(Object::toString)
              .filter(name -> NATIVE.matcher(name).matches())
              .forEach(name -> found.add(entry + "!" + name));
        }
      }
    }
    assertFalse(jars == 0, "no jar on the class path");
    assertEquals(List.of(), found);
  }

  private static ArchRule onlyDependsOn(String module, String... allowed) {
    return classes()
        .that()
        .resideInAPackage(module)
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(allowed);
  }

  private static void check(ArchRule rule) {
    rule.check(classes);
  }
}
