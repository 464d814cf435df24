package dev.gdn.model.config;

/** What follows the token mixing in every layer. */
public sealed interface FeedForwardConfig permits DenseFeedForward {}
