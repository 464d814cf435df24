/**
 * The gated delta rule and its family over whole batches, forward, backward and in shards, with
 * checked arguments: for research and for tools. Models call the kernels themselves.
 */
package dev.gdn.core.batch;
