/** The {@code gdn} command, one class for each subcommand. Nothing calls it but the JVM. */
package dev.gdn.cli;
