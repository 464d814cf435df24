/** The kernels on the Vector API, for 128-, 256- and 512-bit species. Found by service loading. */
package dev.gdn.kernels.vector;
