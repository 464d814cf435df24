package dev.gdn.acceptance;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_USE_JAVA_UTIL_LOGGING;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.ObjectInput;
import java.io.ObjectOutput;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URL;
import java.net.URLConnection;
import java.nio.channels.NetworkChannel;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the library's classes never call, whatever they are given to read. */
class HygieneTest {
  private static JavaClasses library;

  @BeforeAll
  static void read() {
    library =
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages(
                "dev.gdn.core", "dev.gdn.kernels", "dev.gdn.model", "dev.gdn.langchain4j");
    assertTrue(library.size() > 400, "classes: " + library.size());
  }

  @Test
  void noReflection() {
    noClasses()
        .should()
        .dependOnClassesThat(
            resideInAnyPackage("java.lang.reflect..", "java.beans..", "javax.script.."))
        .orShould()
        .callMethod(Class.class, "forName", String.class)
        .orShould()
        .callMethod(ClassLoader.class, "loadClass", String.class)
        .check(library);
  }

  @Test
  void noDeserialisation() {
    noClasses()
        .should()
        .dependOnClassesThat(assignableTo(ObjectInput.class).or(assignableTo(ObjectOutput.class)))
        .check(library);
  }

  @Test
  void noNetwork() {
    noClasses()
        .should()
        .dependOnClassesThat(
            resideInAnyPackage("java.net.http..", "javax.net..", "java.rmi..")
                .or(assignableTo(Socket.class))
                .or(assignableTo(ServerSocket.class))
                .or(assignableTo(URLConnection.class))
                .or(assignableTo(NetworkChannel.class)))
        .orShould()
        .callMethod(URL.class, "openStream")
        .check(library);
  }

  @Test
  void noProcessAndNoEndOfTheJvm() {
    noClasses()
        .should()
        .dependOnClassesThat(assignableTo(ProcessBuilder.class).or(assignableTo(Process.class)))
        .orShould()
        .callMethod(System.class, "exit", int.class)
        .orShould()
        .callMethod(System.class, "load", String.class)
        .orShould()
        .callMethod(System.class, "loadLibrary", String.class)
        .check(library);
  }

  @Test
  void nothingOnStandardStreams() {
    NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS.check(library);
    NO_CLASSES_SHOULD_USE_JAVA_UTIL_LOGGING.check(library);
  }
}
