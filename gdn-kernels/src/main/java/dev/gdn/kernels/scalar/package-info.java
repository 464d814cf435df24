/** The scalar kernels: the reference, to be read beside the formulas. Found by service loading. */
package dev.gdn.kernels.scalar;
