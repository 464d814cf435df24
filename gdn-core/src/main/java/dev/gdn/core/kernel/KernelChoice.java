package dev.gdn.core.kernel;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Chooses among the kernels on the class or module path. Providers are found with {@link
 * ServiceLoader}; the fastest that can run here is taken. A faster one that cannot is reported once
 * in the life of the process, with its cause.
 */
public final class KernelChoice {
  /** The name that lets this class choose. */
  public static final String AUTO = "auto";

  private static final System.Logger LOG = System.getLogger(KernelChoice.class.getName());
  private static final AtomicBoolean REPORTED = new AtomicBoolean();

  private KernelChoice() {}

  /** The fastest kernels that can run here. */
  public static KernelProvider fastest() {
    return named(AUTO);
  }

  /**
   * The kernels of that name.
   *
   * @param name {@code auto} or a provider's name
   * @throws IllegalArgumentException if there is no such provider, or it cannot run here
   */
  public static KernelProvider named(String name) {
    List<KernelProvider> providers = new ArrayList<>();
    ServiceLoader.load(KernelProvider.class, KernelChoice.class.getClassLoader())
        .forEach(providers::add);
    providers.sort(Comparator.comparingInt(KernelProvider::speed).reversed());
    if (!name.equals(AUTO)) {
      KernelProvider provider =
          providers.stream()
              .filter(p -> p.name().equals(name))
              .findFirst()
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          "kernels: expected auto or one of "
                              + providers.stream().map(KernelProvider::name).toList()
                              + ", found "
                              + name));
      provider
          .unavailable()
          .ifPresent(
              cause -> {
                throw new IllegalArgumentException(
                    "kernels " + name + " cannot run here: " + cause);
              });
      return provider;
    }
    for (KernelProvider provider : providers) {
      if (provider.unavailable().isEmpty()) {
        return provider;
      }
      if (REPORTED.compareAndSet(false, true)) {
        LOG.log(
            Level.WARNING,
            "The {0} kernels cannot run here, slower ones are used: {1}",
            provider.name(),
            provider.unavailable().get());
      }
    }
    throw new IllegalArgumentException(
        "no kernels found: the artifact gdn-kernels is not on the class or module path");
  }
}
