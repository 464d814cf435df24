package dev.gdn.model.checkpoint;

import dev.gdn.model.config.ModelConfig;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Optional;

/** What tells a model from others, for files that fit one model alone. */
public final class ModelIdentity {
  private ModelIdentity() {}

  /**
   * A SHA-256 of the sizes, of what weights become while they are loaded, and of their {@linkplain
   * WeightSource#fingerprint() fingerprint}. It is the same wherever the checkpoint lies, and
   * another for the same weights in another format.
   */
  public static byte[] of(
      ModelConfig config, WeightSource source, Optional<Quantization> quantization) {
    MessageDigest digest = Fingerprint.sha256();
    digest.update((config + "\n" + quantization).getBytes(StandardCharsets.UTF_8));
    digest.update(source.fingerprint());
    return digest.digest();
  }
}
