/**
 * How fast models and the gated delta rule run on this machine, and what memory they take. For
 * people who choose a model or a machine; the kernels one by one are measured elsewhere, with JMH.
 * The command line calls it; nothing in this module does.
 */
package dev.gdn.model.bench;
