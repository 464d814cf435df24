/**
 * Structured output: a JSON schema becomes a grammar over bytes, the grammar an automaton, and the
 * automaton, walked along the trie of a vocabulary's tokens, says which tokens may follow. {@code
 * dev.gdn.model} and applications call {@link dev.gdn.model.schema.JsonSchemaConstraint}.
 */
package dev.gdn.model.schema;
