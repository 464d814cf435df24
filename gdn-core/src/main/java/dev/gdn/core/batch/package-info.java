/**
 * The gated delta rule over whole batches, with checked arguments: for research and for tools.
 * Models call the kernels themselves.
 */
package dev.gdn.core.batch;
