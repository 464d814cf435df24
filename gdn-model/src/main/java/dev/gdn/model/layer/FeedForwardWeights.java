package dev.gdn.model.layer;

/** The weights of what follows the token mixing in a layer. */
sealed interface FeedForwardWeights permits DenseWeights, MixtureWeights {}
