package dev.gdn.model.generation;

/**
 * How likely a token was.
 *
 * @param id the token
 * @param logProbability natural logarithm of its probability, at most 0
 */
public record TokenLogProbability(int id, double logProbability) {}
