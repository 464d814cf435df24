/**
 * Views of numbers: activations on the heap and weights as a checkpoint stores them. Every other
 * package may call this one; it calls none.
 */
package dev.gdn.core.tensor;
