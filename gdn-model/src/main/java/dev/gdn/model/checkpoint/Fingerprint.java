package dev.gdn.model.checkpoint;

import dev.gdn.core.tensor.Shape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Map;
import java.util.TreeMap;

/**
 * What tells the weights of one checkpoint from those of another: a SHA-256 of the name, type and
 * shape of every tensor and of samples of their bytes. Weights that were trained further differ
 * nearly everywhere, so a few thousand samples tell them apart without reading gigabytes.
 */
final class Fingerprint {
  private static final int SAMPLES = 4096;
  private static final int SAMPLE_BYTES = 64;

  private record Tensor(String type, Shape shape, MemorySegment data) {}

  // By name: files list them in any order.
  private final Map<String, Tensor> tensors = new TreeMap<>();

  /** Adds a tensor. */
  void add(String name, Enum<?> type, Shape shape, MemorySegment data) {
    tensors.put(name, new Tensor(type.name(), shape, data));
  }

  /** The hash, 32 bytes. */
  byte[] hash() {
    MessageDigest digest = sha256();
    int each = Math.max(1, SAMPLES / Math.max(1, tensors.size()));
    int every = Math.max(1, tensors.size() / SAMPLES);
    int index = 0;
    for (Map.Entry<String, Tensor> entry : tensors.entrySet()) {
      Tensor tensor = entry.getValue();
      String head = entry.getKey() + '\n' + tensor.type + '\n' + tensor.shape + '\n';
      digest.update(head.getBytes(StandardCharsets.UTF_8));
      if (index++ % every == 0) {
        sample(tensor.data, each, digest);
      }
    }
    return digest.digest();
  }

  // From the first byte to the last, evenly spread.
  private static void sample(MemorySegment data, int count, MessageDigest digest) {
    long last = Math.max(0, data.byteSize() - SAMPLE_BYTES);
    byte[] sample = new byte[(int) Math.min(SAMPLE_BYTES, data.byteSize())];
    for (int i = 0; i < count; i++) {
      long at = count == 1 ? last / 2 : last * i / (count - 1);
      MemorySegment.copy(data, ValueLayout.JAVA_BYTE, at, sample, 0, sample.length);
      digest.update(sample);
    }
  }

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }
}
