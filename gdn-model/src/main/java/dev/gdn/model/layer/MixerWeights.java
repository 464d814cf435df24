package dev.gdn.model.layer;

/** The weights of what mixes tokens in a layer. */
sealed interface MixerWeights permits GatedDeltaWeights, AttentionWeights, LatentAttentionWeights {}
