package dev.gdn.model.config;

/** What follows the token mixing in a layer. */
public sealed interface FeedForwardConfig permits DenseFeedForward, MixtureOfExperts {}
