/**
 * How tokens are chosen, and what comes of a generation. Applications and {@code dev.gdn.model}
 * call it.
 */
package dev.gdn.model.generation;
