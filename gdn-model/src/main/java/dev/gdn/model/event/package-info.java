/**
 * What the flight recorder of the JDK is told: a model that is opened, prompts, tokens, and what
 * was reused. Only {@code dev.gdn.model} makes these events; programs read them by their names.
 */
package dev.gdn.model.event;
