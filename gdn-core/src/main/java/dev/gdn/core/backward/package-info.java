/**
 * The backward pass of the rule in plain loops, chunk by chunk with recomputation, for whole
 * sequences and every kind of gate. Kernels call it, and {@link dev.gdn.core.batch}.
 */
package dev.gdn.core.backward;
