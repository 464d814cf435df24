package dev.gdn.model.checkpoint;

/**
 * Told how far the weights of a checkpoint are loaded, where loading them takes more than mapping
 * them. An exception it throws ends the loading.
 */
@FunctionalInterface
public interface LoadProgress {
  /** So many bytes of so many in the checkpoint's files are done. */
  void done(long bytes, long total);
}
