/**
 * How tokens are chosen, what a generation hands over, and what comes of it. Applications and
 * {@code dev.gdn.model} call it.
 */
package dev.gdn.model.generation;
