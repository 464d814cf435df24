/**
 * JSON files of a checkpoint, read with checks that name the file and the key. Internal: only this
 * module calls it, and it calls none but {@link dev.gdn.model} for its exception.
 */
package dev.gdn.model.json;
