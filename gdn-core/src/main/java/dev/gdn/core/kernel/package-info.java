/**
 * The kernel interface: what a layer computes, one small interface for each family of operations,
 * and the choice of an implementation. Layers call it; {@code gdn-kernels} implements it.
 */
package dev.gdn.core.kernel;
