package dev.gdn.acceptance.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.gdn.demo.DemoModel;
import dev.gdn.model.LanguageModel;
import dev.gdn.model.generation.GenerationOptions;
import java.io.File;
import java.lang.ref.WeakReference;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * A class loader with the library, as a server makes one for each application, goes once the
 * application is dropped, and so do the library's threads.
 */
class UnloadingTest {
  private static final String DONE = "application that is done";
  private static final long LONGEST_NANOSECONDS = 120_000_000_000L;

  /** What the application does, loaded by its own loader. */
  public static final class Application implements Runnable {
    @Override
    public void run() {
      try (LanguageModel model = LanguageModel.open(DemoModel.extract())) {
        GenerationOptions options = GenerationOptions.defaults().withMaxTokens(5);
        model.generate("Once upon a time", options, text -> {});
        Thread.currentThread().setName(DONE);
      }
    }
  }

  @Test
  void theLibraryIsUnloadedWithItsThreads() throws Exception {
    Set<Thread> before = threads();
    WeakReference<ClassLoader> loader = runInALoaderOfItsOwn();
    long start = System.nanoTime();
    while (loader.get() != null && System.nanoTime() - start < LONGEST_NANOSECONDS) {
      System.gc();
      Thread.sleep(200);
    }
    assertNull(loader.get(), "the loader is still there");
    Set<Thread> left = threads();
    left.removeAll(before);
    assertTrue(left.stream().noneMatch(t -> t.getName().startsWith("gdn")), left::toString);
  }

  private static WeakReference<ClassLoader> runInALoaderOfItsOwn() throws Exception {
    try (URLClassLoader loader =
        new URLClassLoader(classPath(), ClassLoader.getPlatformClassLoader())) {
      Class<?> type = loader.loadClass(Application.class.getName());
      assertNotSame(Application.class, type);
      Runnable application = (Runnable) type.getDeclaredConstructor().newInstance();
      // A thread of its own takes what libraries keep for each thread along.
      Thread thread = new Thread(application, "application");
      thread.setContextClassLoader(loader);
      thread.start();
      thread.join();
      assertEquals(DONE, thread.getName());
      return new WeakReference<>(loader);
    }
  }

  private static Set<Thread> threads() {
    return new HashSet<>(Thread.getAllStackTraces().keySet());
  }

  private static URL[] classPath() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .map(Path::of)
        .map(UnloadingTest::url)
        .toArray(URL[]::new);
  }

  private static URL url(Path path) {
    try {
      return path.toUri().toURL();
    } catch (MalformedURLException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
