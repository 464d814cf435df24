/**
 * The backward pass of the rule, chunk by chunk with recomputation, for whole sequences. Called
 * through {@link dev.gdn.core.batch}.
 */
package dev.gdn.core.backward;
