/** JMH benchmarks. Nothing calls this package. */
package dev.gdn.bench;
