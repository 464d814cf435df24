/**
 * Writing files so that none is ever half written, reading texts no larger than they may be, and
 * numbers to and from files. The readers, writers and layers of this module call it, and the {@code
 * gdn} command.
 */
package dev.gdn.model.file;
