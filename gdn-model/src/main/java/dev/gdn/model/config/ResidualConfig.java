package dev.gdn.model.config;

/** How the blocks of a layer, token mixer and feed-forward, read and write the residual stream. */
public sealed interface ResidualConfig permits NormedResidual, ResidualStreams {}
