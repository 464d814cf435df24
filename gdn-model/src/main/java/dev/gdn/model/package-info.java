/**
 * The library's front door: open a checkpoint as a {@link dev.gdn.model.LanguageModel}, hold a
 * conversation in a {@link dev.gdn.model.Session}, or let the model generate text.
 */
package dev.gdn.model;
