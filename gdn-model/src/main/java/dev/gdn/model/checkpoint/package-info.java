/**
 * A checkpoint on disk: which files it consists of and where each weight is. The layers ask a
 * {@link dev.gdn.model.checkpoint.WeightSource} for what they need and know no file format. Any
 * package of this module may call this one.
 */
package dev.gdn.model.checkpoint;
