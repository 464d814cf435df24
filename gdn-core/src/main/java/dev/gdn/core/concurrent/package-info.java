/** The fixed pool of worker threads. Kernels and sessions call it. */
package dev.gdn.core.concurrent;
