package dev.gdn.model.generation;

/**
 * How many tokens a generation was about.
 *
 * @param prompt all tokens before the first generated one that this request named
 * @param reused those of them that had been read before, by the session or another one of the model
 * @param generated tokens generated, without a stop token
 * @param reasoning those of them that belong to a thought, its marks included
 */
public record TokenCounts(int prompt, int reused, int generated, int reasoning) {}
