package dev.gdn.model.template;

import java.time.Clock;

/**
 * What operations of one rendering share.
 *
 * @param budget what is left of steps, characters and levels
 * @param clock what {@code strftime_now} reads
 */
record Context(Budget budget, Clock clock) {}
