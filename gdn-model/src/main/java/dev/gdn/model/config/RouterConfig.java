package dev.gdn.model.config;

/** How a router chooses a token's experts, and weighs them, from its scores. */
public sealed interface RouterConfig permits SoftmaxRouting, SigmoidRouting {
  /** Whether the weights of a token's experts are scaled to add up to 1. */
  boolean normalised();
}
