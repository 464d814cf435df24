package dev.gdn.cli;

import picocli.CommandLine.IVersionProvider;

/** The version as the jar's manifest gives it, and the Java it runs on. */
final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() {
    String version = Version.class.getPackage().getImplementationVersion();
    return new String[] {
      "gdn " + (version == null ? "(development build)" : version),
      "Java " + System.getProperty("java.runtime.version")
    };
  }
}
