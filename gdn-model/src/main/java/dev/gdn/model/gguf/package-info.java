/**
 * Reading and writing GGUF files, versions 2 and 3, little-endian: metadata, a directory of
 * tensors, and their aligned bytes. Everything in a file is checked before it is used. What the
 * keys and names mean for a model is none of this package's business. Any package may call this
 * one; it calls none but {@link dev.gdn.model} for its exception.
 *
 * <p>Source: the format's description at https://github.com/ggml-org/ggml/blob/master/docs/gguf.md.
 */
package dev.gdn.model.gguf;
