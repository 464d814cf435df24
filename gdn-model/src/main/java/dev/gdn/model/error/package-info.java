/** What can go wrong with a checkpoint or a session, as exceptions. Every package may use them. */
package dev.gdn.model.error;
