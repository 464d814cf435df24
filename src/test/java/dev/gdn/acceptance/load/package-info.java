/**
 * Many threads, many sessions, long sequences: short in every build, as long as wanted by {@code
 * -Dgdn.load.seconds} and {@code -Dgdn.load.tokens}. Nobody calls it.
 */
package dev.gdn.acceptance.load;
