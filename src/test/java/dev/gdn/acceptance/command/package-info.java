/** The gdn command from outside, each call in a JVM of its own. Nothing calls it. */
package dev.gdn.acceptance.command;
