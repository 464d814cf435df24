/**
 * The layers of a hybrid model, and the forward pass through them: weights bound from a checkpoint
 * (immutable, shared by sessions) and blocks that run them (one set for each session). Only {@code
 * dev.gdn.model} may call it.
 */
package dev.gdn.model.layer;
