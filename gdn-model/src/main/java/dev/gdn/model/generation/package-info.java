/** Sampling and the generation loop. Applications and {@code dev.gdn.model} may call it. */
package dev.gdn.model.generation;
