package dev.gdn.demo;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;

/**
 * The demonstration model: a Qwen3.5-style checkpoint of 10.8 million parameters, trained on
 * public-domain short stories. It tells the beginning of a story and knows nothing else.
 *
 * <p>Weights are mapped from files, so the resource is unpacked once, 22 MB, and found again by
 * later runs. Safe to call from several threads and processes at once.
 */
public final class DemoModel {
  private static final int ID_BYTES = 6;

  private DemoModel() {}

  /**
   * A folder with the checkpoint. Run from a build tree it is the resource folder itself. Otherwise
   * the checkpoint is unpacked to {@code $XDG_CACHE_HOME/gdn}, or {@code ~/.cache/gdn}, or, where
   * that cannot be written, to a temporary folder that goes when the JVM ends.
   *
   * @throws UncheckedIOException if the checkpoint can be unpacked nowhere; it says where and why
   */
  public static Path extract() {
    URL resource = DemoModel.class.getResource("model/config.json");
    if (resource != null && resource.getProtocol().equals("file")) {
      return folderOf(resource);
    }
    Path cached = cache(System.getenv("XDG_CACHE_HOME"), System.getProperty("user.home"));
    try {
      return extract(cached);
    } catch (UncheckedIOException e) {
      try {
        return extractTemporarily();
      } catch (IOException | UncheckedIOException second) {
        e.addSuppressed(second);
        throw e;
      }
    }
  }

  /**
   * Unpacks the checkpoint to a folder, unless it is there already. Each file is written beside its
   * place, compared with its checksum and moved there in one step, so that an attempt that was cut
   * short, or another process at the same work, does no harm.
   *
   * @param folder made if it does not exist
   * @return the folder
   * @throws UncheckedIOException if the folder cannot be written, naming it
   */
  public static Path extract(Path folder) {
    try {
      for (ModelFile file : ModelFile.all()) {
        if (!file.isIn(folder)) {
          unpack(file, Files.createDirectories(folder));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(
          "the demonstration model cannot be unpacked to %s: %s".formatted(folder, e), e);
    }
    return folder;
  }

  private static void unpack(ModelFile file, Path folder) throws IOException {
    Path part = Files.createTempFile(folder, file.name() + ".", ".part");
    try {
      file.copyTo(part);
      Files.move(part, folder.resolve(file.name()), ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(part);
    }
  }

  private static Path extractTemporarily() throws IOException {
    Path folder = Files.createTempDirectory("gdn-demo-");
    folder.toFile().deleteOnExit();
    extract(folder);
    for (ModelFile file : ModelFile.all()) {
      folder.resolve(file.name()).toFile().deleteOnExit();
    }
    return folder;
  }

  /** Where the checkpoint is kept; a model with other contents gets another folder. */
  static Path cache(String xdgCacheHome, String userHome) {
    Path root = Path.of(userHome, ".cache");
    if (xdgCacheHome != null && Path.of(xdgCacheHome).isAbsolute()) {
      root = Path.of(xdgCacheHome);
    }
    byte[] listing = ModelFile.listing().getBytes(StandardCharsets.UTF_8);
    byte[] digest = ModelFile.newDigest().digest(listing);
    return root.resolve("gdn").resolve("demo-" + HexFormat.of().formatHex(digest, 0, ID_BYTES));
  }

  private static Path folderOf(URL file) {
    try {
      return Path.of(file.toURI()).getParent();
    } catch (URISyntaxException e) {
      throw new IllegalStateException("not a usable resource address: " + file, e);
    }
  }
}
