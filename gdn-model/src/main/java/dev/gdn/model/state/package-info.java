/**
 * What a session leaves behind, kept: copies of it, which share what does not change; those that
 * later prompts may begin with, under a budget; and files. Only {@code dev.gdn.model} may call it.
 */
package dev.gdn.model.state;
