/**
 * Turns checkpoints of one format into another. The command line calls it; nothing in this module
 * does.
 */
package dev.gdn.model.convert;
