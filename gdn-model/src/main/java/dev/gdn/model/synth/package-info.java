/**
 * Checkpoints of random weights in the shapes of published models, for measuring speed without
 * downloading anything. The command line calls it; nothing in this module does.
 */
package dev.gdn.model.synth;
