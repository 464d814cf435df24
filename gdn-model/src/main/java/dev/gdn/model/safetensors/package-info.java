/**
 * Reading and writing safetensors files: an eight-byte header length, a JSON header, and the
 * tensors' bytes without gaps. Everything in a file is checked before it is used. Any package may
 * call this one; it calls {@link dev.gdn.model} for its exception and {@code dev.gdn.model.json}.
 *
 * <p>Source: the format's description at https://github.com/huggingface/safetensors.
 */
package dev.gdn.model.safetensors;
