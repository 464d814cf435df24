package dev.gdn.acceptance.picture;

/** A measured value at a number of tokens. */
record Point(int tokens, double value) {}
