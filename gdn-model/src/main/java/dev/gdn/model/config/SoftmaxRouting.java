package dev.gdn.model.config;

/**
 * The experts with the highest scores, weighed by the softmax.
 *
 * @param normalised whether the weights of a token's experts are scaled to add up to 1
 */
public record SoftmaxRouting(boolean normalised) implements RouterConfig {}
